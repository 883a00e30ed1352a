// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/did_you_mean.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace ravel {
namespace {

TEST(DidYouMean, FindsTheNearestWord) {
  const std::vector<std::string> known = {"run", "replay", "--executions", "--expect"};
  EXPECT_EQ(did_you_mean("rum", known), "run");
  EXPECT_EQ(did_you_mean("rnu", known), "run");
  EXPECT_EQ(did_you_mean("repaly", known), "replay");
  EXPECT_EQ(did_you_mean("--execution", known), "--executions");
  EXPECT_EQ(did_you_mean("--excpect", known), "--expect");
}

TEST(DidYouMean, SaysNothingWhenNoneIsNear) {
  const std::vector<std::string> known = {"run", "replay"};
  EXPECT_EQ(did_you_mean("compile", known), "");
  EXPECT_EQ(did_you_mean("x", known), "");
}

}  // namespace
}  // namespace ravel

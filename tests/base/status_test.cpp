// SPDX-License-Identifier: Apache-2.0
#include "base/status.h"

#include <gtest/gtest.h>

#include <memory>

namespace ravel {
namespace {

TEST(Status, OkSaysNothing) {
  const Status status = Status::ok();
  EXPECT_TRUE(status.is_ok());
  EXPECT_EQ(status.what(), "");
  EXPECT_EQ(status.advice(), "");
}

TEST(Status, TroubleCarriesWhatIsWrongAndWhatToDo) {
  const Status status = Status::trouble("./x is a directory", "give the program itself");
  EXPECT_FALSE(status.is_ok());
  EXPECT_EQ(status.what(), "./x is a directory");
  EXPECT_EQ(status.advice(), "give the program itself");
}

TEST(Result, HoldsAValue) {
  Result<int> result = 7;
  ASSERT_TRUE(result.is_ok());
  EXPECT_EQ(result.value(), 7);
  EXPECT_TRUE(result.status().is_ok());
}

TEST(Result, HoldsTheReasonWhyThereIsNoValue) {
  const Result<int> result = Status::trouble("no such file", "");
  EXPECT_FALSE(result.is_ok());
  EXPECT_EQ(result.status().what(), "no such file");
}

TEST(Result, CarriesValuesThatOnlyMove) {
  Result<std::unique_ptr<int>> result = std::make_unique<int>(3);
  const std::unique_ptr<int> taken = std::move(result.value());
  EXPECT_EQ(*taken, 3);
}

TEST(ResultDeathTest, AnOkStatusIsNoResult) {
  EXPECT_EXIT(Result<int>(Status::ok()), ::testing::ExitedWithCode(kInternalErrorExit), "needs a trouble");
}

}  // namespace
}  // namespace ravel

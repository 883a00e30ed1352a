// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/duration.h"

#include <gtest/gtest.h>

#include "driver/target/execution_record.h"

namespace ravel {
namespace {

using namespace std::chrono_literals;

TEST(Duration, TakesTheUsualUnits) {
  EXPECT_EQ(parse_duration("500ms"), 500ms);
  EXPECT_EQ(parse_duration("60s"), 60s);
  EXPECT_EQ(parse_duration("5m"), 5min);
  EXPECT_EQ(parse_duration("2h"), 2h);
  EXPECT_EQ(parse_duration("1.5s"), 1500ms);
  EXPECT_EQ(parse_duration("10"), 10s);
}

TEST(Duration, RefusesEverythingElse) {
  for (const char* const text :
       {"", "s", "5x", "5 s", "-1s", "0", "0ms", "1e3s", "inf", "nan", "999999h", "10s10", "0x5s"}) {
    EXPECT_FALSE(parse_duration(text).has_value()) << text;
  }
}

TEST(Duration, IsWrittenAsItIsRead) {
  for (const char* const text : {"500ms", "60ms", "1s", "10s", "90s", "5m"}) {
    EXPECT_EQ(duration_text(*parse_duration(text)), text);
  }
}

}  // namespace
}  // namespace ravel

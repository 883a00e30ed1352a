// SPDX-License-Identifier: Apache-2.0
// Every body in GoogleTest, its own assertions, and ordinary tests between them.
#include <gtest/gtest.h>

#include "bodies.h"

#define BODY(function, test, kind) \
  RAVEL_TEST(Body, test) { bodies::function(); }
BODIES(BODY)
#define OPTION_BODY(function, test, kind)                                                                 \
  TEST(Body, test) {                                                                                      \
    const ravel::ExploreResult result = ravel::explore(bodies::options_for(#function), bodies::function); \
    EXPECT_TRUE(result) << result;                                                                        \
  }
OPTION_BODIES(OPTION_BODY)
using bodies::lost_update;

RAVEL_TEST(Framework, Expect) { EXPECT_EQ(lost_update(), 2) << "two increments"; }
RAVEL_TEST(Framework, Assert) { ASSERT_EQ(lost_update(), 2); }
RAVEL_TEST(Framework, InThread) {
  std::atomic<bool> flag{false};
  std::thread other([&] { EXPECT_FALSE(flag); });
  flag = true;
  other.join();
}

class Fixture : public testing::Test {
 protected:
  void SetUp() override { state_ = 7; }
  int state_ = 0;
};
RAVEL_TEST_F(Fixture, StateIsFresh) {
  std::thread other([this] { ++state_; });
  other.join();
  ASSERT_EQ(state_, 8);
}

TEST(Ordinary, Passes) { EXPECT_EQ(1 + 1, 2); }

TEST(Ordinary, TwoCalls) {
  const ravel::ExploreResult first = ravel::explore([] { EXPECT_EQ(lost_update(), 2); });
  EXPECT_FALSE(first);
  if (first) return;
  const ravel::ExploreResult second = ravel::explore([] { EXPECT_EQ(lost_update(), 2); });
  EXPECT_TRUE(second) << second;
}

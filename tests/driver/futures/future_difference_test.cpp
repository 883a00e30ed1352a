// SPDX-License-Identifier: Apache-2.0
#include "driver/futures/future_difference.h"

#include <gtest/gtest.h>

#include "tests/driver/futures/small_execution.h"

namespace ravel {
namespace {

SmallExecution with_n_written_first() {
  SmallExecution made;
  made.write(1, "n", 3);
  made.read(2, "n", 7);
  made.read(2, "m", 8);
  return made;
}

SmallExecution with_n_read_first() {
  SmallExecution made;
  made.read(2, "n", 7);
  made.write(1, "n", 3);
  made.write(1, "m", 4);
  made.read(2, "m", 8);
  return made;
}

TEST(FutureDifference, ReadsThatSawAnotherWriteInTheirOrder) {
  const SmallExecution here = with_n_written_first();
  const SmallExecution there = with_n_read_first();
  const auto reads = differences(here.seen, there.seen);
  ASSERT_EQ(reads.size(), 2U);
  EXPECT_EQ(reads[0].text(), "n at p.cpp:7 in T2 sees p.cpp:3, not the initial value");
  EXPECT_EQ(reads[1].text(), "m at p.cpp:8 in T2 sees the initial value, not p.cpp:4");
  EXPECT_TRUE(differences(here.seen, here.seen).empty());
}

TEST(FutureDifference, WritesOfOneLineAreToldApartByTheirTasks) {
  SmallExecution here;
  here.write(1, "n", 3);
  here.read(2, "n", 7);
  SmallExecution there;
  there.write(3, "n", 3);
  there.read(2, "n", 7);
  const auto reads = differences(here.seen, there.seen);
  ASSERT_EQ(reads.size(), 1U);
  EXPECT_EQ(reads[0].text(), "n at p.cpp:7 in T2 sees p.cpp:3 of T1, not p.cpp:3 of T3");
}

TEST(FutureDifference, AReadThatOneOfThemDidNotMakeIsNone) {
  SmallExecution here;
  here.write(1, "n", 3);
  here.read(2, "n", 7);
  SmallExecution there;
  there.write(1, "n", 3);
  EXPECT_TRUE(differences(here.seen, there.seen).empty());
}

TEST(FutureDifference, TheNearestThatPassed) {
  std::vector<PerformedExecution> all(3);
  const SmallExecution failing = with_n_written_first();
  const SmallExecution far = with_n_read_first();
  SmallExecution near;
  near.read(2, "n", 7);
  near.write(1, "n", 3);
  near.read(2, "m", 8);
  all[0].seen = failing.seen;
  all[0].findings.emplace_back();
  all[1].seen = far.seen;
  all[2].seen = near.seen;
  const auto nearest = nearest_passing(all, 0);
  ASSERT_TRUE(nearest);
  EXPECT_EQ(nearest->execution, 2U);
  EXPECT_EQ(nearest->reads.size(), 1U);
  all.pop_back();
  all.pop_back();
  EXPECT_FALSE(nearest_passing(all, 0));
}

}  // namespace
}  // namespace ravel

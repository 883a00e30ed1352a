// SPDX-License-Identifier: Apache-2.0
// The numbers of Burckhardt et al. (ASPLOS 2010), and that they promise no more than holds: the promise is compared
// with how often a planted bug is actually missed.
#include "driver/campaign/pct_guarantee.h"

#include <gtest/gtest.h>

#include "strategies/registry.h"
#include "tests/strategies/simulator.h"

namespace ravel {
namespace {

TEST(PctGuarantee, OneExecutionFindsOneInTasksTimesStepsToTheDepthLessOne) {
  PctGuarantee pct;
  pct.add(1, 50);
  pct.add(2, 50);
  pct.add(3, 50);
  const std::vector<PctBound> bounds = pct.bounds(4);
  ASSERT_EQ(bounds.size(), 3U);
  EXPECT_EQ(bounds[0].steps, 0U) << "no change point, no range";
  EXPECT_EQ(bounds[1].steps, 50U);
  EXPECT_EQ(bounds[1].tasks, 4U);
  EXPECT_DOUBLE_EQ(bounds[0].found_probability, 1.0 / 4);
  EXPECT_DOUBLE_EQ(bounds[1].found_probability, 1.0 / (4 * 50));
  EXPECT_NEAR(bounds[2].found_probability, 1.0 / (4 * 50 * 50), 1e-15);
}

// Three of depth 1 with two tasks: missed three times in a row with probability 1/8.
TEST(PctGuarantee, MissesMultiply) {
  PctGuarantee pct;
  for (int i = 0; i < 3; ++i) pct.add(1, 10 + static_cast<std::uint64_t>(i));
  EXPECT_DOUBLE_EQ(pct.bounds(2)[0].found_probability, 7.0 / 8);
  pct.add(2, 5);
  pct.add(2, 10);
  const PctBound two = pct.bounds(2)[1];
  EXPECT_EQ(two.steps, 5U) << "what both reach";
  EXPECT_DOUBLE_EQ(two.found_probability, 1 - (1 - 1.0 / 10) * (1 - 1.0 / 20));
}

// An execution whose change points could not reach far enough does not count.
TEST(PctGuarantee, AShortRangeIsLeftOutRatherThanDecidingForAll) {
  PctGuarantee pct;
  pct.add(2, 3);
  for (int i = 0; i < 9; ++i) pct.add(2, 40);
  const PctBound bound = pct.bounds(2)[0];
  EXPECT_EQ(bound.steps, 40U);
  EXPECT_EQ(bound.executions, 9U);
  EXPECT_NEAR(bound.found_probability, 1 - std::pow(1 - 1.0 / 80, 9), 1e-12);
}

TEST(PctGuarantee, NewSchedulingPointsBeginAnew) {
  PctGuarantee pct;
  pct.add(1, 10);
  pct.forget();
  EXPECT_TRUE(pct.bounds(2).empty());
}

// A program without tasks has one schedule: nothing can be missed.
TEST(PctGuarantee, OneTaskIsCertain) {
  PctGuarantee pct;
  pct.add(1, 10);
  EXPECT_DOUBLE_EQ(pct.bounds(1)[0].found_probability, 1.0);
}

// Campaigns of twelve executions on a torn update (depth 2) among noise: the share that finds it is at least what the
// bound promises. Control: planned with depth 1, they find nothing, so the bound of depth 1 must not cover depth 2.
TEST(PctGuarantee, HoldsOnAPlantedBug) {
  bool bug = false;
  int value = 0;
  int seen = 0;
  Program program(2);
  program[0] = {local(), read(1, [&] { seen = value; }), write(1, [&] { bug = bug || value != seen; })};
  program[1] = {local(), write(1, [&] { ++value; }), local()};
  constexpr std::uint64_t kSteps = 6;
  constexpr int kCampaigns = 4000;
  const auto found_in = [&](std::uint32_t depth) {
    int found = 0;
    std::uint64_t seed = 0;
    for (int campaign = 0; campaign < kCampaigns; ++campaign) {
      bug = false;
      for (int i = 0; i < 12; ++i) {
        value = 0;
        Plan plan;
        plan.strategy = StrategyKind::pct;
        plan.set_parameter("depth", depth);
        plan.set_parameter("length", kSteps);
        plan.seed = ++seed;
        simulate(chooser_for(StrategyKind::pct), plan, program);
      }
      found += bug ? 1 : 0;
    }
    return static_cast<double>(found) / kCampaigns;
  };
  PctGuarantee pct;
  for (int i = 0; i < 12; ++i) pct.add(2, kSteps);
  const PctBound bound = pct.bounds(2)[0];
  EXPECT_GT(bound.found_probability, 0.6);
  EXPECT_GE(found_in(2), bound.found_probability - 0.03);
  EXPECT_EQ(found_in(1), 0.0);
}

}  // namespace
}  // namespace ravel

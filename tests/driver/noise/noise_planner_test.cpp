// SPDX-License-Identifier: Apache-2.0
#include "driver/noise/noise_planner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

namespace ravel {
namespace {

double total(const NoisePlan& plan) {
  return std::accumulate(std::begin(plan.probability), std::end(plan.probability), 0.0) / 1e6;
}

TEST(NoiseRequestTest, NamesKindsAndProbabilities) {
  const auto request = parse_noise("sleep,yield:0.02,halt-one-thread");
  ASSERT_TRUE(request.is_ok());
  EXPECT_TRUE(request.value().wanted[static_cast<unsigned>(NoiseKind::sleep)]);
  EXPECT_EQ(request.value().probability[static_cast<unsigned>(NoiseKind::sleep)], std::nullopt);
  EXPECT_EQ(request.value().probability[static_cast<unsigned>(NoiseKind::yield)], 0.02);
  EXPECT_FALSE(request.value().wanted[static_cast<unsigned>(NoiseKind::priority)]);
}

TEST(NoiseRequestTest, RefusesWhatMakesNoSense) {
  for (const char* const list : {"", "slep", "sleep,", "sleep,sleep", "sleep:", "sleep:x", "sleep:1.5", "sleep:-1",
                                 "sleep:nan", "sleep:0.7,yield:0.7", "sleep:0.1:0.2"}) {
    EXPECT_FALSE(parse_noise(list).is_ok()) << list;
  }
}

TEST(NoisePlannerTest, GivenProbabilitiesAreUsedAsTheyAre) {
  NoisePlanner planner(parse_noise("sleep:0.25,yield:0").value(), std::chrono::milliseconds(2), 1);
  for (std::uint64_t run = 0; run < 50; ++run) {
    const NoisePlan plan = planner.plan(run).plan;
    EXPECT_EQ(plan.probability[static_cast<unsigned>(NoiseKind::sleep)], 250'000U);
    EXPECT_DOUBLE_EQ(total(plan), 0.25);
    for (const std::uint8_t weight : plan.weight) EXPECT_EQ(weight, kUsualWeight);
    planner.learn({plan, {}}, {1'000'000}, false);
  }
}

TEST(NoisePlannerTest, LongRunsGetRareNoise) {
  NoisePlanner planner(NoiseRequest::all(), std::chrono::milliseconds(2), 1);
  const NoisePlaces events = {200'000, 100, 300'000, 100'000, 200'000, 100'000, 50'000, 40'000, 9'900};
  for (int i = 0; i < 20; ++i) planner.learn(planner.plan(0), events, false);
  double sum = 0;
  constexpr int kRuns = 400;
  for (std::uint64_t run = 0; run < kRuns; ++run) {
    const NoisePlan plan = planner.plan(run).plan;
    double units = 0;
    for (unsigned i = 0; i < kNoisePlaces; ++i)
      units += static_cast<double>(events[i] * plan.weight[i]) / kUsualWeight / kUsualRarity;
    const double disturbances = total(plan) * units;
    EXPECT_GE(disturbances, 0.9);
    sum += disturbances;
  }
  EXPECT_GT(sum / kRuns, 20);
  EXPECT_LT(sum / kRuns, 400);
  EXPECT_LT(planner.plan(1).plan.probability[0], 10'000U);
}

TEST(NoisePlannerTest, ShortRunsAreNeverDisturbedAllTheTime) {
  NoisePlanner planner(NoiseRequest::all(), std::chrono::milliseconds(2), 1);
  for (int i = 0; i < 20; ++i) planner.learn(planner.plan(0), {32}, false);
  for (std::uint64_t run = 0; run < 200; ++run) {
    const double probability = total(planner.plan(run).plan);
    EXPECT_LE(probability, NoisePlanner::kDensest + 1e-5);
    EXPECT_GT(probability, 0.1);
  }
}

TEST(NoisePlannerTest, SleepsAreNeverLongerThanAllowed) {
  NoisePlanner planner(NoiseRequest::all(), std::chrono::microseconds(500), 3);
  for (std::uint64_t run = 0; run < 100; ++run) {
    EXPECT_LE(planner.plan(run).plan.longest_us, 500U);
    EXPECT_GE(planner.plan(run).plan.longest_us, 1U);
  }
}

TEST(NoisePlannerTest, OnlyKindsThatAreWanted) {
  NoisePlanner planner(parse_noise("yield").value(), std::chrono::milliseconds(2), 1);
  for (std::uint64_t run = 0; run < 50; ++run) {
    const NoisePlan plan = planner.plan(run).plan;
    EXPECT_DOUBLE_EQ(total(plan) * 1e6, plan.probability[static_cast<unsigned>(NoiseKind::yield)]);
    EXPECT_FALSE(plan.is_quiet());
  }
}

TEST(NoisePlannerTest, TheSameSeedGivesTheSamePlans) {
  NoisePlanner one(NoiseRequest::all(), std::chrono::milliseconds(2), 7);
  NoisePlanner other(NoiseRequest::all(), std::chrono::milliseconds(2), 7);
  NoisePlanner third(NoiseRequest::all(), std::chrono::milliseconds(2), 8);
  EXPECT_EQ(one.plan(3).plan, other.plan(3).plan);
  EXPECT_NE(one.plan(3).plan, one.plan(4).plan);
  EXPECT_NE(one.plan(3).plan, third.plan(3).plan);
}

TEST(NoisePlannerTest, DeadlocksAreHuntedWhereASecondLockIsWanted) {
  NoisePlanner planner(NoiseRequest::all(), std::chrono::milliseconds(2), 7);
  planner.hunt_deadlock(5);
  for (std::uint64_t run = 5; run < 9; ++run) {
    EXPECT_EQ(planner.plan(run).arm.focus, NoiseFocus::locks);
    EXPECT_EQ(planner.plan(run).plan.longest_us, 2000U);
  }
  unsigned hunts = 0;
  for (std::uint64_t run = 9; run < 1009; ++run) hunts += planner.plan(run).arm.focus == NoiseFocus::locks ? 1 : 0;
  EXPECT_GT(hunts, 300U);
  EXPECT_LT(hunts, 600U);
  planner.stop_hunting();
  unsigned later = 0;
  for (std::uint64_t run = 9; run < 1009; ++run) later += planner.plan(run).arm.focus == NoiseFocus::locks ? 1 : 0;
  EXPECT_LT(later, 300U);
}

TEST(NoisePlannerTest, PlacesThatAreComeBackToAreAimedAtInTurn) {
  NoisePlanner planner(NoiseRequest::all(), std::chrono::milliseconds(2), 7);
  const std::vector<std::uint64_t> sites = {0x10, 0x20, 0x30, 0x40, 0x50, 0x60};
  planner.hunt_revisits(sites);
  std::map<std::uint64_t, int> aimed;
  for (std::uint64_t run = 0; run < 24; ++run) {
    const PlannedNoise planned = planner.plan(run);
    EXPECT_EQ(planned.plan.targets_only != 0, !planned.arm.targets.empty());
    EXPECT_LE(planned.arm.targets.size(), 2U);
    for (const std::uint64_t target : planned.arm.targets) ++aimed[target];
    planner.learn(planned, {1000}, false);
  }
  ASSERT_EQ(aimed.size(), sites.size());
  const auto [least, most] =
      std::minmax_element(aimed.begin(), aimed.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  EXPECT_LE(most->second - least->second, 1);
}

TEST(NoisePlannerTest, WhatHasFailedIsMadeAgain) {
  NoisePlanner planner(NoiseRequest::all(), std::chrono::milliseconds(2), 7);
  const PlannedNoise failing = planner.plan(0);
  planner.learn(failing, {1000}, true);
  int again = 0;
  for (std::uint64_t run = 1; run < 200; ++run) {
    const PlannedNoise planned = planner.plan(run);
    const bool same = planned.plan == failing.plan;
    again += same ? 1 : 0;
    planner.learn(planned, {2000}, same);
  }
  EXPECT_GT(again, 120);
  EXPECT_LT(again, 199) << "there may be other failures";
}

TEST(NoisePlannerTest, TheControlArmIsQuiet) {
  NoisePlanner planner(parse_noise("sleep:0.5").value(), std::chrono::milliseconds(2), 1);
  EXPECT_TRUE(planner.quiet(0).plan.is_quiet());
}

}  // namespace
}  // namespace ravel

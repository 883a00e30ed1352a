// SPDX-License-Identifier: Apache-2.0
// The lists that live once, in .def files: findings, strategies, environment choices.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <type_traits>

#include "model/decision.h"
#include "model/finding.h"
#include "model/launch.h"
#include "model/plan.h"
#include "model/summary.h"

namespace ravel {
namespace {

// The kinds that JSON, schedule files and --expect know; scripts rely on these spellings.
TEST(FindingTable, IsTheClosedListOfTheSurface) {
  const std::set<std::string> expected = {
      "data-race",          "deadlock", "lost-wakeup",        "livelock",     "assertion",   "abort",     "signal",
      "uncaught-exception", "user",     "use-after-free",     "double-free",  "lock-misuse", "exit-code", "timeout",
      "leak-of-lock",       "bad-free", "uninitialised-read", "wrong-output",
  };
  std::set<std::string> names;
  for (unsigned i = 0; i < kFindingKinds; ++i) names.insert(finding_name(static_cast<FindingKind>(i)));
  EXPECT_EQ(names, expected);
  EXPECT_EQ(names.size(), kFindingKinds);
}

TEST(FindingTable, EveryNameIsFoundAgain) {
  for (unsigned i = 0; i < kFindingKinds; ++i) {
    const auto kind = static_cast<FindingKind>(i);
    EXPECT_EQ(finding_from_name(finding_name(kind)), kind);
    EXPECT_NE(std::string(finding_sentence(kind)), "");
  }
  EXPECT_EQ(finding_from_name("deadlocks"), std::nullopt);
  EXPECT_EQ(finding_from_name(""), std::nullopt);
}

TEST(StrategyTable, NamesAreDifferent) {
  std::set<std::string> names;
  for (unsigned i = 0; i < kStrategyKinds; ++i) names.insert(strategy_name(static_cast<StrategyKind>(i)));
  EXPECT_EQ(names.size(), kStrategyKinds);
  EXPECT_TRUE(names.contains("random"));
  EXPECT_TRUE(names.contains("pct"));
  EXPECT_TRUE(names.contains("pos"));
  EXPECT_FALSE(names.contains("auto")) << "auto is a planner, never the strategy of one plan";
}

TEST(StrategyTable, APlanOfZerosHasTheUsualParameters) {
  for (unsigned i = 0; i < kStrategyKinds; ++i) {
    Plan plan;
    plan.strategy = static_cast<StrategyKind>(i);
    for (const StrategyParameter& parameter : strategy_parameters(plan.strategy)) {
      EXPECT_EQ(plan.parameter(parameter.name), parameter.usual) << parameter.name;
      plan.set_parameter(parameter.name, ~std::uint64_t{0});
      EXPECT_EQ(plan.parameter(parameter.name), ~std::uint64_t{0}) << parameter.name;
    }
  }
}

TEST(EnvironmentTable, UnusualEventsAreQuietAndNormalChoicesAreNot) {
  EXPECT_TRUE(environment_is_quiet(EnvironmentKind::spurious_wakeup));
  EXPECT_TRUE(environment_is_quiet(EnvironmentKind::early_timeout));
  EXPECT_TRUE(environment_is_quiet(EnvironmentKind::weak_failure));
  EXPECT_FALSE(environment_is_quiet(EnvironmentKind::notify_target));
  EXPECT_FALSE(environment_is_quiet(EnvironmentKind::choose));
  std::set<std::string> names;
  for (unsigned i = 0; i < kEnvironmentKinds; ++i) names.insert(environment_name(static_cast<EnvironmentKind>(i)));
  EXPECT_EQ(names.size(), kEnvironmentKinds);
}

TEST(Launch, NamesAreThoseOfTheOptions) {
  EXPECT_STREQ(carrier_name(CarrierKind::fiber), "fiber");
  EXPECT_STREQ(carrier_name(CarrierKind::thread), "thread");
  EXPECT_STREQ(point_level_name(PointLevel::sync), "sync");
  EXPECT_STREQ(point_level_name(PointLevel::shared), "shared");
  EXPECT_STREQ(point_level_name(PointLevel::all), "all");
}

// What crosses the channel is copied as bytes between two builds of our own code.
TEST(Channel, WhatCrossesItIsPlainData) {
  EXPECT_TRUE(std::is_trivially_copyable_v<Plan>);
  EXPECT_TRUE(std::is_trivially_copyable_v<ExecutionSummary>);
  EXPECT_TRUE(std::is_trivially_copyable_v<LaunchOptions>);
  EXPECT_TRUE(std::is_trivially_copyable_v<DecisionRun>);
  EXPECT_EQ(sizeof(DecisionRun), 12U);
}

}  // namespace
}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
// Planners: what varies over a campaign, what is learned, what is reproducible.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string_view>

#include "strategies/registry.h"

namespace ravel {
namespace {

// Valid until the next call.
ExecutionView view_of(std::uint64_t steps) {
  static ExecutionSummary summary;
  summary.steps = steps;
  return ExecutionView{summary};
}

TEST(Registry, EveryListedStrategyHasAPlanner) {
  std::set<std::string_view> names;
  for (const StrategyDescription& strategy : list_strategies()) {
    EXPECT_NE(make_planner(strategy.name, 1), nullptr) << strategy.name;
    EXPECT_NE(std::string_view(strategy.sentence), "");
    EXPECT_TRUE(names.insert(strategy.name).second) << strategy.name;
  }
  EXPECT_TRUE(names.contains("auto"));
  EXPECT_TRUE(names.contains("random"));
  EXPECT_EQ(make_planner("", 1), nullptr);
  EXPECT_EQ(make_planner("tarot", 1), nullptr);
}

TEST(Registry, PlansNameTheirStrategy) {
  for (const StrategyDescription& strategy : list_strategies()) {
    if (std::string_view(strategy.name) == "auto") continue;  // it combines others
    EXPECT_STREQ(strategy_name(make_planner(strategy.name, 1)->next(3).plan.strategy), strategy.name);
  }
}

TEST(Planners, SameSeedSamePlans) {
  for (const StrategyDescription& strategy : list_strategies()) {
    const auto first = make_planner(strategy.name, 5);
    const auto second = make_planner(strategy.name, 5);
    const auto other = make_planner(strategy.name, 6);
    int different = 0;
    for (std::uint64_t execution = 0; execution < 100; ++execution) {
      const PlannedExecution plan = first->next(execution);
      ASSERT_TRUE(plan == second->next(execution)) << strategy.name << ' ' << execution;
      different += plan == other->next(execution) ? 0 : 1;
      first->learn(plan, view_of(50 + execution));
      second->learn(plan, view_of(50 + execution));
      other->learn(plan, view_of(50 + execution));
    }
    EXPECT_EQ(different, 100) << strategy.name;
  }
}

TEST(Planners, EnvironmentIsMostlyQuiet) {
  for (const char* name : {"random", "pct", "pos", "surw", "rff"}) {
    const auto planner = make_planner(name, 1);
    int quiet = 0;
    for (std::uint64_t execution = 0; execution < 4000; ++execution) {
      const std::uint8_t power = planner->next(execution).plan.environment_power;
      if (power == kQuietEnvironment) {
        ++quiet;
      } else {
        EXPECT_GE(power, 4);
        EXPECT_LE(power, 12);
      }
    }
    EXPECT_NEAR(quiet, 3000, 150) << name;
  }
}

TEST(Planners, HalfOfTheExecutionsShowOldStores) {
  for (const char* name : {"random", "pct", "pos", "surw", "rff"}) {
    const auto planner = make_planner(name, 1);
    int powers[8] = {};
    for (std::uint64_t execution = 0; execution < 4000; ++execution) {
      const std::uint8_t power = planner->next(execution).plan.stale_power;
      if (power == kQuietEnvironment) continue;
      ASSERT_GE(power, 1);
      ASSERT_LE(power, 6);
      ++powers[power];
    }
    for (int power = 1; power <= 6; ++power) EXPECT_NEAR(powers[power], 333, 80) << name;
  }
  EXPECT_EQ(make_planner("sequential", 1)->next(3).plan.stale_power, kQuietEnvironment);
  EXPECT_EQ(make_planner("auto", 1)->next(0).plan.stale_power, kQuietEnvironment) << "the program at rest";
}

TEST(SequentialPlanner, EndsAfterItsOneOrder) {
  const auto planner = make_planner("sequential", 1);
  EXPECT_FALSE(planner->finished());
  planner->next(0);
  EXPECT_TRUE(planner->finished());
  EXPECT_FALSE(planner->complete());
}

TEST(RandomPlanner, DrawsEachSwitchProbability) {
  const auto planner = make_planner("random", 1);
  std::set<std::uint64_t> powers;
  for (std::uint64_t execution = 0; execution < 400; ++execution)
    powers.insert(planner->next(execution).plan.parameter("switch"));
  EXPECT_EQ(*powers.begin(), 1U);
  EXPECT_EQ(*powers.rbegin(), 12U);
  EXPECT_EQ(powers.size(), 12U);
}

TEST(PctPlanner, VariesDepthAndLearnsLength) {
  const auto planner = make_planner("pct", 1);
  EXPECT_EQ(planner->next(0).plan.parameter("depth"), 1U);
  std::set<std::uint64_t> depths;
  for (std::uint64_t execution = 0; execution < 10; ++execution)
    depths.insert(planner->next(execution).plan.parameter("depth"));
  EXPECT_EQ(depths, (std::set<std::uint64_t>{1, 2, 3, 4, 5}));

  planner->learn(PlannedExecution{}, view_of(500));
  EXPECT_EQ(planner->next(1).plan.parameter("length"), 500U);
  planner->learn(PlannedExecution{}, view_of(20));
  EXPECT_GT(planner->next(2).plan.parameter("length"), 450U);
  for (int i = 0; i < 1000; ++i) planner->learn(PlannedExecution{}, view_of(20));
  EXPECT_LT(planner->next(3).plan.parameter("length"), 100U);
}

// Turns of each member among executions 1..n. Nothing happens in them, so dpor has seen everything after the first.
// `news`: how many new behaviours each execution of this member shows.
std::map<StrategyKind, int> turns_of_auto(int n, StrategyKind favoured, std::uint32_t news) {
  const auto planner = make_planner("auto", 1);
  std::map<StrategyKind, int> turns;
  for (int execution = 0; execution <= n; ++execution) {
    const PlannedExecution planned = planner->next(static_cast<std::uint64_t>(execution));
    if (execution > 0) ++turns[planned.plan.strategy];
    ExecutionView view = view_of(321);
    view.news = planned.plan.strategy == favoured ? news : 0;
    planner->learn(planned, view);
  }
  return turns;
}

TEST(AutoPlanner, BeginsWithATracedSequentialExecution) {
  const auto planner = make_planner("auto", 1);
  const PlannedExecution first = planner->next(0);
  EXPECT_EQ(first.plan.strategy, StrategyKind::dpor);
  EXPECT_TRUE(first.prefix.empty());
  EXPECT_EQ(first.plan.trace, TraceLevel::operations);
}

// While an execution of dpor is in progress, other workers get executions of other members.
TEST(AutoPlanner, OneExecutionOfDporAtATime) {
  const auto planner = make_planner("auto", 1);
  EXPECT_EQ(planner->next(0).plan.strategy, StrategyKind::dpor);
  for (std::uint64_t i = 1; i < 100; ++i) EXPECT_NE(planner->next(i).plan.strategy, StrategyKind::dpor);
}

TEST(AutoPlanner, DporHasNoTurnsInProgramsOfManyTasks) {
  const auto planner = make_planner("auto", 1);
  ExecutionSummary summary;
  summary.tasks = 100;
  for (std::uint64_t i = 0; i < 100; ++i) {
    const PlannedExecution planned = planner->next(i);
    EXPECT_EQ(planned.plan.strategy == StrategyKind::dpor, i == 0);
    planner->learn(planned, ExecutionView{summary});
  }
}

TEST(AutoPlanner, MembersTakeTurnsByTheirShares) {
  const auto turns = turns_of_auto(120, StrategyKind::pos, 0);
  EXPECT_EQ(turns.at(StrategyKind::rff), 40);
  EXPECT_EQ(turns.at(StrategyKind::surw), 40);
  EXPECT_EQ(turns.at(StrategyKind::pos), 20);
  EXPECT_EQ(turns.at(StrategyKind::random), 10);
  EXPECT_EQ(turns.at(StrategyKind::pct), 10);
}

TEST(AutoPlanner, WhoShowsNewBehaviourGetsMoreTurnsAndNobodyIsDropped) {
  const auto turns = turns_of_auto(1200, StrategyKind::pct, 5);
  EXPECT_GT(turns.at(StrategyKind::pct), 200);
  for (const auto& [strategy, count] : turns) EXPECT_GT(count, 30) << strategy_name(strategy);
}

}  // namespace
}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
// Steering into a suspected deadlock, with every strategy behind it.
#include "strategies/steered.h"

#include <gtest/gtest.h>

#include "strategies/registry.h"
#include "tests/strategies/simulator.h"

namespace ravel {
namespace {

constexpr std::uint64_t kA = 0x1000;
constexpr std::uint64_t kB = 0x2000;

std::vector<Instruction> both(std::uint64_t first, std::uint64_t second, unsigned before, unsigned after) {
  std::vector<Instruction> task;
  for (unsigned i = 0; i < before; ++i) task.push_back(local());
  for (const Instruction& each : {lock(first), lock(second), unlock(second), unlock(first)}) task.push_back(each);
  for (unsigned i = 0; i < after; ++i) task.push_back(local());
  return task;
}

Plan plan_of(StrategyKind kind, std::uint64_t seed) {
  Plan plan;
  plan.strategy = kind;
  plan.seed = seed;
  if (kind == StrategyKind::pct) {
    plan.set_parameter("depth", 2);
    plan.set_parameter("length", 1000);
  }
  return plan;
}

class Steered : public ::testing::TestWithParam<StrategyKind> {};

// The two are hundreds of steps apart: without steering they do not meet, with it they always do.
TEST_P(Steered, RunsIntoTheDeadlockEveryTime) {
  const Program program = {both(kA, kB, 0, 300), both(kB, kA, 400, 0), {local(), local()}};
  unsigned alone = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Plan plan = plan_of(GetParam(), seed);
    const Simulation free_run = simulate(chooser_for(plan), plan, program);
    EXPECT_FALSE(free_run.foreign_choice);
    alone += free_run.deadlock ? 1 : 0;
    plan.hold[0] = {kA, kB};
    plan.hold[1] = {kB, kA};
    const Simulation steered = simulate(chooser_for(plan), plan, program);
    EXPECT_FALSE(steered.foreign_choice);
    EXPECT_TRUE(steered.deadlock) << "seed " << seed;
  }
  EXPECT_LT(alone, 10U);
}

// A cycle that cannot close: a task that is held back continues when no other task can.
TEST_P(Steered, EndsWhereTheOthersNeverCome) {
  const Program program = {both(kA, kB, 0, 10), both(kA, kB, 5, 0), {local(), local()}};
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Plan plan = plan_of(GetParam(), seed);
    plan.hold[0] = {kA, kB};
    plan.hold[1] = {kB, kA};
    const Simulation run = simulate(chooser_for(plan), plan, program);
    EXPECT_FALSE(run.foreign_choice || run.deadlock || run.cut) << "seed " << seed;
  }
}

TEST_P(Steered, IsReproducible) {
  const Program program = {both(kA, kB, 3, 30), both(kB, kA, 40, 0), both(kA, kB, 7, 7)};
  Plan plan = plan_of(GetParam(), 5);
  plan.hold[0] = {kA, kB};
  plan.hold[1] = {kB, kA};
  EXPECT_EQ(simulate(chooser_for(plan), plan, program).tasks(), simulate(chooser_for(plan), plan, program).tasks());
}

INSTANTIATE_TEST_SUITE_P(Strategies, Steered,
                         ::testing::Values(StrategyKind::sequential, StrategyKind::random, StrategyKind::pct,
                                           StrategyKind::pos, StrategyKind::surw, StrategyKind::rff),
                         [](const auto& each) { return std::string(strategy_name(each.param)); });

}  // namespace
}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
// What holds for every strategy: it chooses among the enabled tasks, the same plan gives the same execution, nothing is
// left over from the previous execution, and a task that waits by yielding does not hold up the others forever.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "base/random.h"
#include "strategies/registry.h"
#include "tests/strategies/simulator.h"

namespace ravel {
namespace {

Plan random_plan(StrategyKind kind, std::uint64_t seed) {
  Random random(seed);
  Plan plan;
  plan.strategy = kind;
  plan.seed = random.next();
  for (const StrategyParameter& parameter : strategy_parameters(kind)) {
    plan.set_parameter(parameter.name, 1 + random.below(parameter.form == ParameterForm::power ? 6 : 200));
  }
  return plan;
}

// Locks are taken in one order and released, so every program ends under every schedule.
Program random_program(std::uint64_t seed) {
  Random random(seed);
  Program program(1 + random.below(random.below(4) == 0 ? 60 : 8));
  for (TaskId task = 0; task < program.size(); ++task) {
    auto& body = program[task];
    for (std::uint32_t n = 1 + random.below(12); n > 0; --n) {
      switch (random.below(6)) {
        case 0:
          body.push_back(yield());
          break;
        case 1:
          body.push_back(local());
          break;
        case 2:
          body.push_back(lock(1));
          if (random.below(2) == 0) {
            body.push_back(lock(2));
            body.push_back(write(100 + random.below(16)));
            body.push_back(unlock(2));
          }
          body.push_back(unlock(1));
          break;
        default:
          body.push_back(random.below(2) == 0 ? read(100 + random.below(16)) : write(100 + random.below(16)));
      }
    }
    if (task + 1 < program.size() && random.below(3) == 0) body.push_back(create(task + 1));
  }
  return program;
}

class EveryStrategy : public testing::TestWithParam<StrategyKind> {
 protected:
  Chooser& chooser() { return chooser_for(GetParam()); }
};

TEST_P(EveryStrategy, ChoosesAmongTheEnabled) {
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    const Simulation run = simulate(chooser(), random_plan(GetParam(), seed), random_program(seed / 3));
    ASSERT_FALSE(run.foreign_choice) << seed;
    ASSERT_FALSE(run.cut) << seed;
    ASSERT_FALSE(run.deadlock) << seed;
  }
}

TEST_P(EveryStrategy, SamePlanSameExecution) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Plan plan = random_plan(GetParam(), seed);
    const Program program = random_program(seed);
    const std::string first = simulate(chooser(), plan, program).tasks();
    // Another execution in between must leave no trace.
    simulate(chooser(), random_plan(GetParam(), seed + 1), random_program(seed + 1000));
    ASSERT_EQ(simulate(chooser(), plan, program).tasks(), first) << seed;
  }
}

TEST_P(EveryStrategy, OtherSeedsOtherExecutions) {
  Program program(4);
  for (auto& task : program) task.assign(20, write(1));
  std::set<std::string> seen;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Plan plan = random_plan(GetParam(), seed);
    for (const StrategyParameter& parameter : strategy_parameters(GetParam())) {
      if (parameter.form == ParameterForm::power) plan.set_parameter(parameter.name, 2);
    }
    if (GetParam() == StrategyKind::pct) {
      plan.set_parameter("depth", 3);
      plan.set_parameter("length", 80);
    }
    seen.insert(simulate(chooser(), plan, program).tasks());
  }
  if (GetParam() == StrategyKind::sequential) {
    EXPECT_EQ(seen.size(), 1U);  // it makes no random choice
  } else {
    EXPECT_GE(seen.size(), 45U);
  }
}

// Two tasks wait for a third in loops that yield; a strategy that let them continue forever would invent a livelock.
TEST_P(EveryStrategy, TasksThatWaitByYieldingDoNotStarveTheOthers) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    bool flag = false;
    const auto wait = [&] {
      Instruction again = yield();
      again.repeat = [&] { return !flag; };
      again.back = 1;
      return std::vector<Instruction>{read(1), again};
    };
    Program program{wait(), wait(), {local(), local(), write(1, [&] { flag = true; })}};
    const Simulation run = simulate(chooser(), random_plan(GetParam(), seed), program, 20'000);
    ASSERT_FALSE(run.cut) << seed;
  }
}

TEST_P(EveryStrategy, QuietEnvironmentIsQuietAndTheRestIsEven) {
  Plan plan = random_plan(GetParam(), 7);
  chooser().begin(plan, {});
  int counts[3] = {};
  for (int i = 0; i < 30'000; ++i) {
    ASSERT_EQ(chooser().choose_environment(EnvironmentKind::spurious_wakeup, 2), 0U);
    const std::uint32_t target = chooser().choose_environment(EnvironmentKind::notify_target, 3);
    ASSERT_LT(target, 3U);
    ++counts[target];
  }
  for (const int count : counts) EXPECT_NEAR(count, 10'000, 400);

  plan.environment_power = 4;
  chooser().begin(plan, {});
  int unusual = 0;
  for (int i = 0; i < 32'000; ++i) {
    const std::uint32_t choice = chooser().choose_environment(EnvironmentKind::early_timeout, 3);
    ASSERT_LT(choice, 3U);
    unusual += choice != 0 ? 1 : 0;
  }
  EXPECT_NEAR(unusual, 2000, 200);
}

TEST_P(EveryStrategy, StoresAreTheNewestButForOneInTwoToThePower) {
  Plan plan = random_plan(GetParam(), 7);
  chooser().begin(plan, {});
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(chooser().choose_store(4), 0U);

  plan.stale_power = 2;
  chooser().begin(plan, {});
  int counts[4] = {};
  for (int i = 0; i < 40'000; ++i) {
    const std::uint32_t store = chooser().choose_store(4);
    ASSERT_LT(store, 4U);
    ++counts[store];
  }
  EXPECT_NEAR(counts[0], 30'000, 500);
  EXPECT_NEAR(counts[1], 2'500, 250);  // a quarter of the old ones are the oldest, the rest are even
  EXPECT_NEAR(counts[2], 2'500, 250);
  EXPECT_NEAR(counts[3], 5'000, 350);
}

// Weak memory must not shift which task runs: the same seed means the same order with and without it.
TEST_P(EveryStrategy, StoresDoNotShiftTheChoicesOfTasks) {
  const auto order = [&](bool asks) {
    const auto look = [&] {
      return read(1, [&] {
        if (asks) chooser().choose_store(3);
      });
    };
    Program program{{look(), look(), look(), look()}, {look(), look(), look(), look()}, {look(), look(), look()}};
    Plan plan = random_plan(GetParam(), 11);
    plan.stale_power = 1;
    return simulate(chooser(), plan, program).tasks();
  };
  EXPECT_EQ(order(true), order(false));
}

// The strategies that draw: an exhaustive search does the same whatever the seed.
std::vector<StrategyKind> drawing_strategies() {
  std::vector<StrategyKind> kinds;
  for (const StrategyDescription& strategy : list_strategies()) {
    const Plan plan = make_planner(strategy.name, 1)->next(0).plan;
    const bool plays_others = std::string(strategy.name) != strategy_name(plan.strategy);
    if (!plays_others && plan.exhaustive == 0) kinds.push_back(plan.strategy);
  }
  return kinds;
}

INSTANTIATE_TEST_SUITE_P(Strategies, EveryStrategy, testing::ValuesIn(drawing_strategies()),
                         [](const auto& strategy) { return strategy_name(strategy.param); });

TEST(Sequential, RunsEachTaskUntilItBlocksYieldsOrEnds) {
  Plan plan;
  Program program{{local(), lock(1), local(), yield(), local(), unlock(1)}, {local(), lock(1), unlock(1)}, {local()}};
  // a runs up to its yield; b up to the lock a holds; c ends; a continues and ends; b gets the lock.
  EXPECT_EQ(simulate(chooser_for(StrategyKind::sequential), plan, program).tasks(), "aaabcaaabb");
}

// At points where the current task could continue, it is switched with probability p, whatever the number of tasks.
TEST(RandomStrategy, SwitchesWithProbabilityP) {
  for (const std::uint32_t tasks : {2U, 5U, 40U}) {
    Program program(tasks);
    for (auto& task : program) task.assign(100'000 / tasks, local());
    for (const std::uint8_t power : {1, 2, 4, 6}) {
      Plan plan;
      plan.strategy = StrategyKind::random;
      plan.seed = tasks * 100 + power;
      plan.set_parameter("switch", power);
      const Simulation run = simulate(chooser_for(StrategyKind::random), plan, program, 100'000);
      const double rate = static_cast<double>(run.leaves) / static_cast<double>(run.leaves + run.stays);
      const double p = 1.0 / (1 << power);
      EXPECT_NEAR(rate, p, 0.1 * p) << tasks << " tasks, power " << int{power};
    }
  }
}

TEST(RandomStrategy, ChoosesTheOthersEvenly) {
  Program program(4);
  for (auto& task : program) task.assign(50'000, local());
  Plan plan;
  plan.strategy = StrategyKind::random;
  const Simulation run = simulate(chooser_for(StrategyKind::random), plan, program, 100'000);
  std::vector<int> from_first(4);
  for (std::size_t i = 1; i < run.steps.size(); ++i) {
    if (run.steps[i - 1].task == 0) ++from_first[run.steps[i].task];
  }
  EXPECT_NEAR(from_first[0], 12'500, 600);
  for (const TaskId other : {1, 2, 3}) EXPECT_NEAR(from_first[other], 12'500 / 3, 400);
}

}  // namespace
}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
// What Zhao et al. (ASPLOS 2025) claim: with the right counts every order of the selected operations is equally likely,
// whatever else the tasks do; and order violations among many tasks need few schedules.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "strategies/registry.h"
#include "strategies/task_paths.h"
#include "tests/strategies/learning.h"
#include "tests/strategies/simulator.h"

namespace ravel {
namespace {

constexpr std::uint64_t kObject = 0x100;
constexpr std::uint64_t kOneOperation = 1000;

Plan plan_of(std::uint64_t seed, unsigned switch_power) {
  Plan plan;
  plan.strategy = StrategyKind::surw;
  plan.seed = seed;
  plan.set_parameter("switch", switch_power);
  return plan;
}

// Details for accesses to kObject. weights: by path, of the task and its descendants.
std::vector<std::uint64_t> details_of(const std::map<std::uint64_t, std::uint64_t>& weights) {
  std::vector<std::uint64_t> details = {0, 1, weights.size(), 0, 0, kObject};
  for (const auto& [path, count] : weights) details.insert(details.end(), {path, kOneOperation, count * kOneOperation});
  return details;
}

using Orders = std::map<std::string, int>;

Orders sample(const Program& program, const std::vector<std::uint64_t>& details, int executions,
              unsigned switch_power) {
  Orders orders;
  for (int i = 0; i < executions; ++i) {
    const Simulation run = simulate(chooser_for(StrategyKind::surw),
                                    plan_of(static_cast<std::uint64_t>(i), switch_power), program, 100'000, details);
    EXPECT_FALSE(run.foreign_choice);
    std::string order;
    for (const Operation& step : run.steps) {
      if (step.object == kObject) order += static_cast<char>('a' + step.task);
    }
    ++orders[order];
  }
  return orders;
}

double chi_square(const Orders& orders, int executions) {
  const double expected = static_cast<double>(executions) / static_cast<double>(orders.size());
  double sum = 0;
  for (const auto& [order, count] : orders) sum += (count - expected) * (count - expected) / expected;
  return sum;
}

// Three tasks with 1, 2 and 3 selected operations among noise of very different length: 6!/(1! 2! 3!) = 60 orders.
Program three_tasks() {
  Program program(3);
  for (std::uint64_t task = 0; task < 3; ++task) {
    for (std::uint64_t i = 0; i <= task; ++i) {
      for (std::uint64_t noise = 0; noise < 1 + 9 * task; ++noise) program[task].push_back(write(0x9000 + task * 64));
      program[task].push_back(write(kObject));
    }
  }
  return program;
}

TEST(SurwSampling, OrdersOfTheSelectedAreEquallyLikely) {
  const std::uint64_t second = child_path(kMainPath, 0);
  const std::uint64_t third = child_path(kMainPath, 1);
  const auto details = details_of({{kMainPath, 6}, {second, 2}, {third, 3}});
  constexpr int kExecutions = 12'000;
  // 59 degrees of freedom: above 98 with probability 0.001. The seeds are fixed, so the result is always the same.
  for (const unsigned switch_power : {1U, 3U, 8U}) {
    const Orders orders = sample(three_tasks(), details, kExecutions, switch_power);
    ASSERT_EQ(orders.size(), 60U) << switch_power;
    EXPECT_LT(chi_square(orders, kExecutions), 98) << switch_power;
  }
  // The control: without a selection the same program is far from even.
  const Orders plain = sample(three_tasks(), {}, kExecutions, 1);
  EXPECT_TRUE(plain.size() < 60 || chi_square(plain, kExecutions) > 1000);
}

// What a task will create counts for its creator: the first selected operation is as likely to be a child's.
TEST(SurwSampling, TasksStillToBeCreatedCount) {
  Program program(3);
  program[0] = {write(0x9000), write(kObject), local(), create(1), write(0x9000), create(2), write(kObject)};
  program[1] = {local(), write(kObject), local(), write(kObject)};
  program[2] = {write(0x9000), write(0x9000), write(kObject)};
  const std::uint64_t first = child_path(kMainPath, 0);
  const std::uint64_t second = child_path(kMainPath, 1);
  const auto details = details_of({{kMainPath, 5}, {first, 2}, {second, 1}});
  constexpr int kExecutions = 12'000;
  // T0's first comes before everything; then one of T0, two of T1 and one of T2 in any order: 4!/2! = 12.
  const Orders orders = sample(program, details, kExecutions, 4);
  ASSERT_EQ(orders.size(), 12U);
  // 11 degrees of freedom: above 31.3 with probability 0.001.
  EXPECT_LT(chi_square(orders, kExecutions), 31.3);
}

// The selected operations come after a lock that a waiting task holds: no task is left, so the waiting one continues.
TEST(SurwChooser, WaitingTasksGoWhenNobodyElseCan) {
  Program program(3);
  program[0] = {lock(0x900), write(kObject), unlock(0x900)};
  program[1] = program[0];
  program[2] = program[0];
  const std::uint64_t second = child_path(kMainPath, 0);
  const std::uint64_t third = child_path(kMainPath, 1);
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Simulation run = simulate(chooser_for(StrategyKind::surw), plan_of(seed, 2), program, 100'000,
                                    details_of({{kMainPath, 3}, {second, 1}, {third, 1}}));
    EXPECT_FALSE(run.deadlock);
    EXPECT_EQ(run.steps.size(), 9U);
  }
}

// A task that polls does not keep the task it waits for from running.
TEST(SurwChooser, PollingEnds) {
  for (const bool yields : {true, false}) {
    bool set = false;
    Program program(2);
    program[0] = {
        yields ? yield() : read(0x200), {OperationKind::read, 0x300, {}, [&] { return !set; }, 1}, write(kObject)};
    program[1] = {write(kObject, [&] { set = true; })};
    // The polling task has all the weight.
    const auto details = details_of({{kMainPath, 1'000'000}});
    set = false;
    const Simulation run = simulate(chooser_for(StrategyKind::surw), plan_of(3, 1), program, 200'000, details);
    EXPECT_FALSE(run.cut) << yields;
  }
}

TEST(SurwChooser, NonsenseInDetailsIsIgnored) {
  const std::vector<std::vector<std::uint64_t>> nonsense = {
      {1}, {0, 5, 5, 5}, {0, ~0ULL, 1, 0, 1}, {0, 1, ~0ULL, 0, 1, 2}, {7, 0, 0, 0}, {0, 1, 1, 0, 0, kObject, 1, 0, 0}};
  for (const auto& details : nonsense) {
    const Simulation run = simulate(chooser_for(StrategyKind::surw), plan_of(1, 1), three_tasks(), 100'000, details);
    EXPECT_FALSE(run.foreign_choice);
    EXPECT_FALSE(run.deadlock || run.cut);
  }
}

// One observer among a hundred tasks that write x, then y: it must see x written and y not.
TEST(SurwPlanner, FindsOneObserverAmongManyWriters) {
  int x = 0;
  int y = 0;
  bool torn = false;
  Program program;
  program.emplace_back();
  for (TaskId task = 1; task <= 101; ++task) program[0].push_back(create(task));
  for (int i = 0; i < 100; ++i) {
    program.push_back({at(1, write(0x100, [&] { x = 1; })), at(2, write(0x140, [&] { y = 1; }))});
  }
  int seen = 0;
  program.push_back({at(3, read(0x100, [&] { seen = x; })), at(4, read(0x140, [&] { torn = seen != y; }))});
  std::uint64_t total = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    total += executions_to_failure(
        *make_planner("surw", seed), program, [&] { x = y = seen = 0, torn = false; }, [&] { return torn; }, 1000);
  }
  EXPECT_LE(total, 10 * 20U);
}

}  // namespace
}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
// What Yuan, Yang and Gu (CAV 2018) claim: partial orders are sampled far more evenly than by a random walk, whose
// probability of some of them falls exponentially with the number of unrelated operations.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "base/random.h"
#include "strategies/registry.h"
#include "tests/strategies/simulator.h"

namespace ravel {
namespace {

Plan plan_of(StrategyKind kind, std::uint64_t seed) {
  Plan plan;
  plan.strategy = kind;
  plan.seed = seed;
  if (kind == StrategyKind::random) plan.set_parameter("switch", 1);  // for two tasks: a uniform random walk
  return plan;
}

// For each object, the order in which tasks touched it: two executions of write-only tasks are equivalent exactly when
// these are equal.
std::string partial_order(const Simulation& run) {
  std::map<std::uint64_t, std::string> orders;
  for (const Operation& step : run.steps) {
    if (operation_role(step.kind) != OperationRole::local) orders[step.object] += static_cast<char>('a' + step.task);
  }
  std::string all;
  for (const auto& [object, order] : orders) all += order + " ";
  return all;
}

using Shares = std::map<std::string, double>;

template <typename Run>
Shares sample(int executions, Run run) {
  Shares shares;
  for (int i = 0; i < executions; ++i) shares[partial_order(run(static_cast<std::uint64_t>(i)))] += 1.0 / executions;
  return shares;
}

Shares sample(StrategyKind kind, const Program& program, int executions) {
  return sample(executions,
                [&](std::uint64_t seed) { return simulate(chooser_for(kind), plan_of(kind, seed), program); });
}

double rarest(const Shares& shares) {
  double least = 1;
  for (const auto& [order, share] : shares) least = std::min(least, share);
  return least;
}

// POS as in the paper: a number per pending operation, all examined, all conflicting ones redrawn.
class PaperPos final : public Chooser {
 public:
  void begin(const Plan& plan, std::span<const std::uint64_t>) override {
    random_ = Random(plan.seed);
    priority_.clear();
    pending_.clear();
  }
  void on_pending(const Operation& operation) override {
    priority_[operation.task] = random_.unit();
    pending_[operation.task] = operation;
  }
  void on_enabled(TaskId, bool) override {}
  void on_yield(TaskId) override {}
  TaskId choose_task(const TaskChoice& choice) override {
    return *std::max_element(choice.enabled.begin(), choice.enabled.end(),
                             [this](TaskId a, TaskId b) { return priority_[a] < priority_[b]; });
  }
  void on_step(const Operation& operation) override {
    pending_.erase(operation.task);
    for (const auto& [task, other] : pending_) {
      if (conflict(operation, other)) priority_[task] = random_.unit();
    }
  }
  std::uint32_t choose_environment(EnvironmentKind, std::uint32_t) override { return 0; }

 private:
  Random random_;
  std::map<TaskId, double> priority_;
  std::map<TaskId, Operation> pending_;
};

// A writes x. B writes six other objects, then x. Two partial orders: A first or B first.
//   pos: B goes first when each of its 7 operations beats the one number A drew: 1/8.
//   random walk: 7 times the same side of a coin: 1/128.
TEST(PosSampling, UnrelatedOperationsDoNotHideAnOrder) {
  Program program(2);
  program[0] = {write(0x100)};
  for (std::uint64_t i = 0; i < 6; ++i) program[1].push_back(write(0x1000 + i * 64));
  program[1].push_back(write(0x100));
  constexpr int kExecutions = 40'000;
  EXPECT_NEAR(rarest(sample(StrategyKind::pos, program, kExecutions)), 1.0 / 8, 0.008);
  EXPECT_NEAR(rarest(sample(StrategyKind::random, program, kExecutions)), 1.0 / 128, 0.002);
}

// Two tasks write the same objects in opposite order, which leaves fewer ways to be late for one of them than for the
// other: a random walk almost never shows the extreme ones.
TEST(PosSampling, RarestPartialOrderIsLessRareThanWithARandomWalk) {
  Program program(2);
  for (std::uint64_t i = 0; i < 5; ++i) {
    program[0].push_back(write(0x1000 + i * 64));
    program[1].push_back(write(0x1000 + (4 - i) * 64));
  }
  constexpr int kExecutions = 60'000;
  const Shares pos = sample(StrategyKind::pos, program, kExecutions);
  const Shares random = sample(StrategyKind::random, program, kExecutions);
  ASSERT_EQ(pos.size(), random.size());
  EXPECT_GE(rarest(pos), 3 * rarest(random));
}

// Ours has a tree, an index and a generator of integers; it must sample like the paper's loop.
TEST(PosSampling, SamplesLikeThePaper) {
  Program contended(3);
  for (auto& task : contended) task = {write(0x100), read(0x140), write(0x140)};
  Program mixed(3);
  mixed[0] = {write(0x100), lock(0x900), write(0x140), unlock(0x900)};
  mixed[1] = {lock(0x900), write(0x140), unlock(0x900), write(0x100)};
  mixed[2] = {local(), write(0x180), write(0x100)};
  constexpr int kExecutions = 60'000;
  PaperPos paper;
  for (const Program& program : {contended, mixed}) {
    const Shares ours = sample(StrategyKind::pos, program, kExecutions);
    const Shares theirs = sample(kExecutions, [&](std::uint64_t seed) {
      return simulate(paper, plan_of(StrategyKind::pos, seed + 1'000'000), program);
    });
    double distance = 0;
    for (const auto& [order, share] : theirs) distance += std::abs(share - (ours.contains(order) ? ours.at(order) : 0));
    for (const auto& [order, share] : ours) distance += theirs.contains(order) ? 0 : share;
    // Sampling error alone: about the square root of (orders / executions) each.
    EXPECT_LE(distance, 3 * std::sqrt(static_cast<double>(theirs.size()) / kExecutions)) << theirs.size();
  }
}

// Large groups are drawn lazily. Forty tasks at one object, half of which only read, twenty at a lock, one elsewhere:
// which task comes when must be as likely as in the paper's loop.
TEST(PosSampling, LargeGroupsSampleLikeThePaper) {
  Program program;
  for (int i = 0; i < 20; ++i) program.push_back({write(0x100), read(0x100)});
  for (int i = 0; i < 20; ++i) program.push_back({read(0x100), read(0x100)});
  for (int i = 0; i < 20; ++i) program.push_back({lock(0x900), unlock(0x900)});
  program.push_back({local(), local(), write(0x200), write(0x100)});
  constexpr int kExecutions = 10'000;
  constexpr std::size_t kSteps = 40;
  // For each of the first steps, how often it was made by each of the four kinds of task.
  const auto shares = [&](Chooser& chooser, std::uint64_t first_seed) {
    std::vector<double> result(kSteps * 4);
    for (std::uint64_t i = 0; i < kExecutions; ++i) {
      const Simulation run = simulate(chooser, plan_of(StrategyKind::pos, first_seed + i), program, kSteps);
      for (std::size_t at = 0; at < kSteps; ++at) result[at * 4 + run.steps[at].task / 20] += 1.0 / kExecutions;
    }
    return result;
  };
  PaperPos paper;
  const std::vector<double> ours = shares(chooser_for(StrategyKind::pos), 0);
  const std::vector<double> theirs = shares(paper, 1'000'000);
  for (std::size_t i = 0; i < ours.size(); ++i) EXPECT_NEAR(ours[i], theirs[i], 0.03) << i;
}

// Which of many equals comes next must not depend on its position in some list.
TEST(PosSampling, MembersOfALargeGroupAreEqual) {
  Program program;
  for (int i = 0; i < 50; ++i) program.push_back({write(0x100), write(0x100)});
  std::vector<int> second(50);
  constexpr int kExecutions = 50'000;
  for (std::uint64_t seed = 0; seed < kExecutions; ++seed) {
    const Simulation run = simulate(chooser_for(StrategyKind::pos), plan_of(StrategyKind::pos, seed), program, 2);
    ++second[run.steps[1].task];
  }
  for (const int count : second) EXPECT_NEAR(count, kExecutions / 50, 150);
}

}  // namespace
}  // namespace ravel

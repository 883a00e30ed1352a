// SPDX-License-Identifier: Apache-2.0
// The claim of Burckhardt et al. (ASPLOS 2010): a bug of depth d in a program of n tasks and k steps is found by one
// execution of pct(d) with probability at least 1/(n * k^(d-1)).
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>

#include "strategies/registry.h"
#include "tests/strategies/simulator.h"

namespace ravel {
namespace {

// How often the planted bug shows, over fixed seeds.
template <typename MakeProgram>
double find_rate(Plan plan, int executions, MakeProgram make_program) {
  int found = 0;
  for (int i = 0; i < executions; ++i) {
    bool bug = false;
    const Program program = make_program(bug);
    plan.seed = 1000 + static_cast<std::uint64_t>(i);
    simulate(chooser_for(plan.strategy), plan, program);
    found += bug ? 1 : 0;
  }
  return static_cast<double>(found) / executions;
}

Plan pct(std::uint32_t depth, std::uint64_t length) {
  Plan plan;
  plan.strategy = StrategyKind::pct;
  plan.set_parameter("depth", depth);
  plan.set_parameter("length", length);
  return plan;
}

Plan random_walk() {
  Plan plan;
  plan.strategy = StrategyKind::random;
  plan.set_parameter("switch", 1);
  return plan;
}

void add_filler(Program& program, std::size_t tasks, std::size_t steps_each) {
  for (std::size_t i = 0; i < tasks; ++i) program.emplace_back(steps_each, local());
}

std::uint64_t length_of(const Program& program) {
  std::uint64_t steps = 0;
  for (const auto& task : program) steps += task.size();
  return steps;
}

// Three standard errors below the bound would be bad luck of one in a thousand.
void expect_at_least(double rate, double bound, int executions) {
  EXPECT_GE(rate, bound - 3 * std::sqrt(bound * (1 - bound) / executions));
}

// Depth 1: one order. `use` before `init`, where init comes last in a long task.
auto order_violation = [](bool& bug) {
  static bool initialised;
  initialised = false;
  Program program(2);
  program[0].assign(10, local());
  program[0].push_back(write(1, [] { initialised = true; }));
  program[1].assign(10, local());
  program[1].push_back(read(1, [&bug] { bug = initialised; }));
  add_filler(program, 3, 8);
  return program;
};

// Depth 2: an update torn by another. The write of B comes between read and write of A.
auto torn_update = [](bool& bug) {
  static int value;
  static int seen;
  value = 0;
  Program program(2);
  program[0].assign(6, local());
  program[0].push_back(read(1, [] { seen = value; }));
  program[0].push_back(write(1, [&bug] { bug = value != seen; }));
  program[0].insert(program[0].end(), 6, local());
  program[1].assign(6, local());
  program[1].push_back(write(1, [] { ++value; }));
  add_filler(program, 2, 6);
  return program;
};

// Depth 3: A sees only the first of two writes of B: a1 b1 a2 b2. B, stopped second, must fall below A.
auto half_an_update = [](bool& bug) {
  static std::string order;
  order.clear();
  const auto say = [](const char* what) { return [what] { order += what; }; };
  Program program(2);
  program[0] = {local(), read(1, say("a1 ")), read(1, say("a2 ")), local()};
  program[1] = {local(), write(1, say("b1 ")), write(1, [&bug] {
                  order += "b2";
                  bug = order == "a1 b1 a2 b2";
                })};
  add_filler(program, 1, 4);
  return program;
};

// Depth 4: an update inside an update inside an update: a1 b1 c1 b2 a2. A, stopped first, must stay below B, stopped
// second. Change points whose values fell with time would find the one above but never this one.
auto nested_update = [](bool& bug) {
  static std::string order;
  order.clear();
  const auto say = [](const char* what) { return [what] { order += what; }; };
  Program program(3);
  program[0] = {local(), write(1, say("a1 ")), write(1, [&bug] {
                  order += "a2";
                  bug = order == "a1 b1 c1 b2 a2";
                })};
  program[1] = {local(), write(1, say("b1 ")), write(1, say("b2 "))};
  program[2] = {local(), write(1, say("c1 "))};
  return program;
};

TEST(PctGuarantee, DepthOne) {
  bool unused = false;
  const Program program = order_violation(unused);
  constexpr int kExecutions = 20'000;
  const double rate = find_rate(pct(1, length_of(program)), kExecutions, order_violation);
  expect_at_least(rate, 1.0 / static_cast<double>(program.size()), kExecutions);
}

TEST(PctGuarantee, DepthTwo) {
  bool unused = false;
  const Program program = torn_update(unused);
  const double n = static_cast<double>(program.size());
  const double k = static_cast<double>(length_of(program));
  constexpr int kExecutions = 60'000;
  const double rate = find_rate(pct(2, length_of(program)), kExecutions, torn_update);
  expect_at_least(rate, 1 / (n * k), kExecutions);
  // Without a change point it cannot be found at all.
  EXPECT_EQ(find_rate(pct(1, length_of(program)), 5000, torn_update), 0.0);
}

TEST(PctGuarantee, DepthThree) {
  bool unused = false;
  const Program program = half_an_update(unused);
  const double n = static_cast<double>(program.size());
  const double k = static_cast<double>(length_of(program));
  constexpr int kExecutions = 100'000;
  const double rate = find_rate(pct(3, length_of(program)), kExecutions, half_an_update);
  expect_at_least(rate, 1 / (n * k * k), kExecutions);
  EXPECT_EQ(find_rate(pct(2, length_of(program)), 5000, half_an_update), 0.0);
}

TEST(PctGuarantee, DepthFour) {
  bool unused = false;
  const Program program = nested_update(unused);
  const double n = static_cast<double>(program.size());
  const double k = static_cast<double>(length_of(program));
  constexpr int kExecutions = 100'000;
  const double rate = find_rate(pct(4, length_of(program)), kExecutions, nested_update);
  expect_at_least(rate, 1 / (n * k * k * k), kExecutions);
  EXPECT_EQ(find_rate(pct(2, length_of(program)), 5000, nested_update), 0.0);
}

// The control: one task has to pause while another makes 25 steps. For pct this is depth 1, hence at least 1/n; a
// random walk over two tasks needs the same side of a coin 24 times.
TEST(PctGuarantee, RandomWalkDoesWorseOnALongOrder) {
  const auto program = [](bool& bug) {
    static int steps;
    steps = 0;
    Program tasks(2);
    tasks[0] = {write(1), write(1, [&bug] { bug = steps == 25; })};
    tasks[1].assign(25, write(1, [] { ++steps; }));
    return tasks;
  };
  const double with_pct = find_rate(pct(1, 27), 2000, program);
  const double with_random = find_rate(random_walk(), 2000, program);
  EXPECT_GE(with_pct, 0.45);
  EXPECT_LE(with_random, 0.01);
}

// T0 creates three tasks of one step each. Those that rank above T0 run as soon as they exist, the others after it in
// the order of their ranks. Choosing h of 3 to be above and ordering the rest gives, for h = 0 to 3, 6 + 6 + 3 + 1 = 16
// executions; all of them come up, and no others.
TEST(Pct, NewTasksGetARandomRank) {
  Program program{{create(1), create(2), create(3), local()}, {local()}, {local()}, {local()}};
  std::set<std::string> seen;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    Plan plan = pct(1, 10);
    plan.seed = seed;
    seen.insert(simulate(chooser_for(StrategyKind::pct), plan, program).tasks());
  }
  EXPECT_EQ(seen.size(), 16U);
}

TEST(Pct, AYieldingTaskDropsBelowEverybody) {
  Program program{{local(), yield(), local(), local()}, {local(), local(), local()}};
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Plan plan = pct(1, 10);
    plan.seed = seed;
    const std::string tasks = simulate(chooser_for(StrategyKind::pct), plan, program).tasks();
    EXPECT_TRUE(tasks == "abbbaaa" || tasks == "bbbaaaa") << tasks;
  }
}

}  // namespace
}  // namespace ravel

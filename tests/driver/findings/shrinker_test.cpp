// SPDX-License-Identifier: Apache-2.0
// Shrinking and the search for the cause, with known answers: simulated programs whose minimal failure was planted.
#include "driver/findings/shrinker.h"

#include <gtest/gtest.h>

#include "driver/findings/cause.h"
#include "driver/findings/conflicts.h"
#include "strategies/registry.h"
#include "tests/strategies/simulator.h"

namespace ravel {
namespace {

// A program of the test, created again for every execution, and what counts as its failure.
struct Subject {
  std::function<Program()> make;
  std::function<bool(const Simulation&)> fails;
};

Trial trial_of(const Program& program, const Simulation& run, bool fails) {
  Trial trial;
  trial.performed = true;
  trial.same = fails;
  trial.passes = !fails && !run.deadlock && !run.cut;
  std::vector<std::size_t> made(program.size());
  for (std::size_t i = 0; i < run.steps.size(); ++i) {
    const TaskId task = run.steps[i].task;
    TraceEvent event;
    event.operation = run.steps[i];
    event.operation.pc = 0x1000 + task * 0x100 + made[task];
    const TaskId before = i == 0 ? task : run.steps[i - 1].task;
    if (before != task) {
      ++trial.summary.switches;
      // There are no locks in these programs: a task that has not ended could have continued.
      if (made[before] < program[before].size()) {
        event.flags |= kTracePreempts;
        ++trial.summary.preemptions;
      }
    }
    ++made[task];
    if (trial.decisions.empty() || trial.decisions.back().value != task) {
      trial.decisions.push_back({DecisionKind::task, {}, 0, task, 0});
    }
    ++trial.decisions.back().count;
    trial.trace.push_back(event);
  }
  trial.summary.steps = run.steps.size();
  return trial;
}

TryDirections executor_of(const Subject& subject) {
  return [subject](const Directions& directions) {
    const Program program = subject.make();
    const std::vector<std::uint64_t> details = details_of(directions);
    const Simulation run = simulate(chooser_for(StrategyKind::sequential), Plan{}, program, 100'000, details);
    return trial_of(program, run, subject.fails(run));
  };
}

// A failing execution with however many switches chance brings.
std::optional<Trial> found_by_chance(const Subject& subject, std::uint64_t seed) {
  for (std::uint64_t i = 0; i < 200'000; ++i) {
    Plan plan;
    plan.strategy = StrategyKind::random;
    plan.seed = seed * 1'000'003 + i;
    const Program program = subject.make();
    const Simulation run = simulate(chooser_for(StrategyKind::random), plan, program);
    if (subject.fails(run)) return trial_of(program, run, true);
  }
  return std::nullopt;
}

// Two tasks move a counter in turn, and each checks only once for each of its moves: preemptions + 2 moves, as in
// tests/e2e/shrink/planted.cpp.
Subject moves_in_turn(int preemptions, int noise) {
  const auto counter = std::make_shared<int>(0);
  const int moves = preemptions + 2;
  Subject subject;
  subject.make = [=] {
    *counter = 0;
    Program program(4);
    const auto chat = [&](TaskId task, int seed) {
      for (int i = 0; i < noise; ++i) program[task].push_back(write(0x100 + 8 * static_cast<unsigned>((seed + i) % 4)));
    };
    for (TaskId task : {0U, 1U}) {
      for (int mine = static_cast<int>(task); mine < moves; mine += 2) {
        chat(task, mine);
        program[task].push_back(write(0x10, [counter, mine] {
          if (*counter == mine) ++*counter;
        }));
        chat(task, mine + 1);
      }
    }
    for (TaskId task : {2U, 3U}) chat(task, 0), chat(task, 1);
    return program;
  };
  subject.fails = [counter, moves](const Simulation&) { return *counter == moves; };
  return subject;
}

class Planted : public ::testing::TestWithParam<int> {};

TEST_P(Planted, ShrinksToExactlyThePreemptionsItNeeds) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Subject subject = moves_in_turn(GetParam(), 8);
    const std::optional<Trial> first = found_by_chance(subject, seed);
    ASSERT_TRUE(first.has_value());
    EXPECT_GT(first->summary.switches, 30U);
    TrialRunner runner(executor_of(subject), {std::chrono::seconds(30), 20'000});
    const std::optional<Shrunk> shrunk = shrink(runner, directions_of(first->decisions));
    ASSERT_TRUE(shrunk.has_value());
    EXPECT_TRUE(shrunk->trial.same);
    EXPECT_EQ(shrunk->trial.summary.preemptions, static_cast<std::uint64_t>(GetParam())) << "seed " << seed;
    const std::optional<Cause> cause = find_cause(runner, *shrunk);
    ASSERT_TRUE(cause.has_value());
    EXPECT_TRUE(cause->passes_otherwise);
    EXPECT_EQ(shrunk->trial.trace[cause->first].operation.object, 0x10U);
    EXPECT_EQ(shrunk->trial.trace[cause->second].operation.object, 0x10U);
  }
}

INSTANTIATE_TEST_SUITE_P(Shrinker, Planted, ::testing::Values(1, 2, 3, 4));

// Tasks that publish a position in two writes, and one that looks in between. Only the first can be seen half done.
Subject reordered(TaskId publishers) {
  struct State {
    int x = 0;
    int y = 0;
    int seen = 0;
    bool torn = false;
  };
  const auto state = std::make_shared<State>();
  Subject subject;
  subject.make = [state, publishers] {
    *state = State{};
    Program program(publishers + 1);
    for (TaskId task = 0; task < publishers; ++task) {
      program[task].push_back(write(0x10, [state] { state->x = 1; }));
      program[task].push_back(write(0x20, [state] { state->y = -1; }));
    }
    program[publishers].push_back(read(0x10, [state] { state->seen = state->x; }));
    program[publishers].push_back(read(0x20, [state] { state->torn = state->seen + state->y != 0; }));
    return program;
  };
  subject.fails = [state](const Simulation&) { return state->torn; };
  return subject;
}

class AmongManyTasks : public ::testing::TestWithParam<TaskId> {};

TEST_P(AmongManyTasks, OneOrTwoPreemptionsAreLeft) {
  const Subject subject = reordered(GetParam());
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const std::optional<Trial> first = found_by_chance(subject, seed);
    ASSERT_TRUE(first.has_value());
    TrialRunner runner(executor_of(subject), {std::chrono::seconds(30), 2'000});
    const std::optional<Shrunk> shrunk = shrink(runner, directions_of(first->decisions), first->decisions);
    ASSERT_TRUE(shrunk.has_value());
    EXPECT_LE(shrunk->trial.summary.preemptions, 2U) << "seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(Shrinker, AmongManyTasks, ::testing::Values(10, 50, 100));

Subject lost_update() {
  struct State {
    int value = 0;
    int seen[2] = {};
  };
  const auto state = std::make_shared<State>();
  Subject subject;
  subject.make = [state] {
    *state = State{};
    Program program(2);
    for (TaskId task : {0U, 1U}) {
      for (int i = 0; i < 5; ++i) program[task].push_back(write(0x80));
      program[task].push_back(read(0x10, [state, task] { state->seen[task] = state->value; }));
      program[task].push_back(write(0x10, [state, task] { state->value = state->seen[task] + 1; }));
      for (int i = 0; i < 5; ++i) program[task].push_back(write(0x80));
    }
    return program;
  };
  subject.fails = [state](const Simulation&) { return state->value == 1; };
  return subject;
}

TEST(Shrinker, NamesTheReadTheWriteBetweenAndTheWriteBack) {
  const Subject subject = lost_update();
  const std::optional<Trial> first = found_by_chance(subject, 3);
  ASSERT_TRUE(first.has_value());
  TrialRunner runner(executor_of(subject), {});
  const std::optional<Shrunk> shrunk = shrink(runner, directions_of(first->decisions));
  ASSERT_TRUE(shrunk.has_value());
  EXPECT_EQ(shrunk->trial.summary.preemptions, 1U);
  const std::optional<Cause> cause = find_cause(runner, *shrunk);
  ASSERT_TRUE(cause.has_value());
  const std::vector<TraceEvent>& trace = shrunk->trial.trace;
  EXPECT_EQ(trace[cause->first].operation.kind, OperationKind::read);
  EXPECT_EQ(trace[cause->second].operation.kind, OperationKind::write);
  EXPECT_NE(trace[cause->first].operation.task, trace[cause->second].operation.task);
  ASSERT_TRUE(cause->third.has_value());
  EXPECT_EQ(trace[*cause->third].operation.task, trace[cause->first].operation.task);
  EXPECT_EQ(trace[*cause->third].operation.kind, OperationKind::write);
  // The preemption comes right after the read: that is the earliest place.
  EXPECT_NE(trace[cause->first + 1].operation.task, trace[cause->first].operation.task);
}

TEST(Shrinker, WhatFailsInAnyOrderNeedsNoPreemption) {
  Subject subject = moves_in_turn(2, 4);
  subject.fails = [](const Simulation&) { return true; };
  const std::optional<Trial> first = found_by_chance(subject, 1);
  TrialRunner runner(executor_of(subject), {});
  const std::optional<Shrunk> shrunk = shrink(runner, directions_of(first->decisions));
  ASSERT_TRUE(shrunk.has_value());
  EXPECT_EQ(shrunk->trial.summary.preemptions, 0U);
  EXPECT_TRUE(shrunk->directions.empty());
  EXPECT_FALSE(find_cause(runner, *shrunk).has_value());
}

TEST(Shrinker, GivesUpOnWhatDoesNotComeBack) {
  Subject subject = moves_in_turn(1, 4);
  const std::optional<Trial> first = found_by_chance(subject, 1);
  ASSERT_TRUE(first.has_value());
  subject.fails = [](const Simulation&) { return false; };
  TrialRunner runner(executor_of(subject), {});
  EXPECT_FALSE(shrink(runner, directions_of(first->decisions)).has_value());
}

TEST(Shrinker, KeepsToItsBudget) {
  const Subject subject = moves_in_turn(4, 8);
  const std::optional<Trial> first = found_by_chance(subject, 1);
  ASSERT_TRUE(first.has_value());
  for (const std::uint64_t executions : {1U, 2U, 7U, 50U}) {
    TrialRunner runner(executor_of(subject), {std::chrono::seconds(30), executions});
    const std::optional<Shrunk> shrunk = shrink(runner, directions_of(first->decisions));
    EXPECT_LE(runner.executions(), executions);
    if (shrunk) {
      EXPECT_TRUE(shrunk->trial.same);
    }
  }
  TrialRunner no_time(executor_of(subject), {std::chrono::seconds(0), 1000});
  EXPECT_FALSE(shrink(no_time, directions_of(first->decisions)).has_value());
  EXPECT_EQ(no_time.executions(), 0U);
}

TEST(Shrinker, ATargetThatIsLostEndsTheSearchWithWhatIsKnown) {
  const Subject subject = moves_in_turn(2, 8);
  const std::optional<Trial> first = found_by_chance(subject, 1);
  ASSERT_TRUE(first.has_value());
  unsigned left = 5;
  const TryDirections real = executor_of(subject);
  TrialRunner runner([&](const Directions& directions) { return left-- > 0 ? real(directions) : Trial{}; }, {});
  const std::optional<Shrunk> shrunk = shrink(runner, directions_of(first->decisions));
  ASSERT_TRUE(shrunk.has_value());
  EXPECT_TRUE(shrunk->trial.same);
  EXPECT_LE(runner.executions(), 6U);
}

TEST(Directions, LeadThroughTheSameExecution) {
  const Subject subject = moves_in_turn(3, 8);
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Plan plan;
    plan.strategy = StrategyKind::random;
    plan.seed = seed;
    const Program program = subject.make();
    const Simulation run = simulate(chooser_for(StrategyKind::random), plan, program);
    const Trial trial = trial_of(program, run, false);
    const Trial again = executor_of(subject)(directions_of(trial.decisions));
    EXPECT_EQ(again.decisions, trial.decisions);
  }
}

TEST(Directions, ChoicesBelongToTheStepTheyWereMadeIn) {
  std::vector<DecisionRun> decisions = {{DecisionKind::task, {}, 0, 0, 2},
                                        {DecisionKind::environment, EnvironmentKind::spurious_wakeup, 0, 0, 1},
                                        {DecisionKind::environment, EnvironmentKind::notify_target, 0, 1, 1},
                                        {DecisionKind::task, {}, 0, 1, 3},
                                        {DecisionKind::reads_from, {}, 0, 2, 1},
                                        {DecisionKind::task, {}, 0, 1, 1}};
  EXPECT_EQ(directions_of(decisions), (Directions{{0, 2, DirectionKind::go_to, 0, 1},
                                                  {0, 2, DirectionKind::environment, 1, 1},
                                                  {1, 3, DirectionKind::store, 0, 2}}));
}

TEST(Directions, TheTableFindsWhatIsThereAndNothingElse) {
  const Directions directions = {{0, 2, DirectionKind::go_to, 0, 1},
                                 {0, 2, DirectionKind::environment, 1, 3},
                                 {1, 0, DirectionKind::go_to, 0, 0},
                                 {1, 7, DirectionKind::store, 0, 2}};
  const std::vector<std::uint64_t> details = details_of(directions);
  const DirectionTable table{std::span<const std::uint64_t>(details)};
  for (const Direction& direction : directions) {
    EXPECT_EQ(table.find(direction.task, direction.step, direction.kind, direction.index), direction.value);
  }
  EXPECT_EQ(table.find(0, 3, DirectionKind::go_to, 0), DirectionTable::kNone);
  EXPECT_EQ(table.find(0, 2, DirectionKind::environment, 0), DirectionTable::kNone);
  EXPECT_EQ(table.find(2, 0, DirectionKind::go_to, 0), DirectionTable::kNone);
  EXPECT_FALSE(table.empty());
  const std::vector<std::uint64_t> none = details_of(Directions{});
  EXPECT_FALSE(DirectionTable{std::span<const std::uint64_t>(none)}.empty());
}

TEST(Conflicts, PointsLieAroundConflictsOnly) {
  std::vector<TraceEvent> trace(5);
  const auto set = [&](std::size_t i, TaskId task, OperationKind kind, std::uint64_t object) {
    trace[i].operation.task = task;
    trace[i].operation.kind = kind;
    trace[i].operation.object = object;
    trace[i].operation.size = 4;
    trace[i].operation.pc = 0x10 * i;
  };
  set(0, 0, OperationKind::write, 0x100);
  set(1, 0, OperationKind::read, 0x200);
  set(2, 1, OperationKind::read, 0x200);
  set(3, 1, OperationKind::write, 0x100);
  set(4, 1, OperationKind::write, 0x300);
  const Conflicts conflicts(trace);
  EXPECT_EQ(conflicts.next_conflict(0), 3U);
  EXPECT_EQ(conflicts.previous_conflict(3), 0U);
  EXPECT_EQ(conflicts.next_conflict(1), trace.size());  // two reads
  EXPECT_EQ(conflicts.next_conflict(4), trace.size());  // no other task
  for (const PreemptionPoint& point : conflicts.points(0, 0)) EXPECT_TRUE(point.at == 0 || point.at == 3);
  EXPECT_EQ(conflicts.points(0, 0).size(), 4U);
}

}  // namespace
}  // namespace ravel

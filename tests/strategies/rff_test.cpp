// SPDX-License-Identifier: Apache-2.0
// Reads-from fuzzing: constraints are satisfied where possible and given up where not; the corpus grows by what is new;
// one observer among a hundred writers is found in a few schedules (Wolff et al., ASPLOS 2024).
#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "strategies/reads_from_constraint.h"
#include "strategies/reads_from_corpus.h"
#include "strategies/registry.h"
#include "strategies/task_paths.h"
#include "tests/strategies/learning.h"
#include "tests/strategies/simulator.h"

namespace ravel {
namespace {

constexpr std::uint64_t kX = 0x100;
constexpr std::uint64_t kY = 0x140;

Simulation run_under(const AbstractSchedule& schedule, const Program& program, std::uint64_t seed) {
  Plan plan;
  plan.strategy = StrategyKind::rff;
  plan.seed = seed;
  return simulate(chooser_for(plan), plan, program, 100'000, words_from_constraints(schedule));
}

// What the read saw: the pc of the latest write to its object before it, 0 for none.
std::uint64_t seen_by(const Simulation& run, std::uint64_t read_pc, std::uint64_t object) {
  std::uint64_t latest = 0;
  for (const Operation& step : run.steps) {
    if (step.object != object) continue;
    if (step.pc == read_pc) return latest;
    if (step.kind == OperationKind::write || step.kind == OperationKind::mutex_unlock) latest = step.pc;
  }
  return ~0ULL;
}

// Sixty writes, at pc 1, 2 and 3, by three tasks; one reader at pc 9, with noise before it.
Program writers_and_reader() {
  Program program(4);
  for (int i = 0; i < 20; ++i) {
    for (std::uint64_t writer = 0; writer < 3; ++writer) program[writer].push_back(at(1 + writer, write(kX)));
    program[3].push_back(local());
  }
  program[3].push_back(at(9, read(kX)));
  return program;
}

TEST(RffChooser, ReadSeesTheWriteItIsToSee) {
  for (const std::uint64_t wanted : {0ULL, 1ULL, 2ULL, 3ULL}) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      const Simulation run = run_under({{false, false, {9}, {wanted}, kX}}, writers_and_reader(), seed);
      ASSERT_EQ(seen_by(run, 9, kX), wanted) << seed;
    }
  }
  // The control: without constraints it sees different writes.
  std::set<std::uint64_t> seen;
  for (std::uint64_t seed = 0; seed < 100; ++seed)
    seen.insert(seen_by(run_under({}, writers_and_reader(), seed), 9, kX));
  EXPECT_GT(seen.size(), 2U);
}

// Is there a write to kX after the read, so that something else could have come between?
bool write_follows(const Simulation& run, std::uint64_t read_pc) {
  bool read = false;
  for (const Operation& step : run.steps) {
    if (read && step.object == kX) return true;
    read = read || step.pc == read_pc;
  }
  return false;
}

TEST(RffChooser, ReadDoesNotSeeWhatItMustNot) {
  for (const std::uint64_t forbidden : {1ULL, 2ULL, 3ULL}) {
    int without = 0;
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
      const Simulation run = run_under({{true, false, {9}, {forbidden}, kX}}, writers_and_reader(), seed);
      // Unless the reader came last: then nothing could help.
      ASSERT_TRUE(!write_follows(run, 9) || seen_by(run, 9, kX) != forbidden) << seed;
      const Simulation control = run_under({}, writers_and_reader(), seed);
      without += write_follows(control, 9) && seen_by(control, 9, kX) == forbidden ? 1 : 0;
    }
    EXPECT_GT(without, 10) << "the control never saw it, either";
  }
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    ASSERT_NE(seen_by(run_under({{true, false, {9}, {0}, kX}}, writers_and_reader(), seed), 9, kX), 0U) << seed;
  }
}

TEST(RffChooser, OccurrencesAndTasksAreToldApart) {
  // The same code in two tasks, four rounds each; the reader's second read should see the third write of the second
  // one.
  Program program(3);
  program[0] = {create(1), create(2)};
  for (int i = 0; i < 4; ++i) program[0].push_back(at(9, read(kX)));
  for (TaskId task = 1; task <= 2; ++task) program[task].assign(4, at(1, write(kX)));
  const std::uint64_t second = child_path(kMainPath, 1);
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Simulation run = run_under({{false, false, {9, 0, 2}, {1, second, 3}, kX}}, program, seed);
    int reads = 0;
    int writes = 0;
    TaskId latest = kNoTask;
    for (const Operation& step : run.steps) {
      if (step.object != kX) continue;
      if (step.kind == OperationKind::write) {
        latest = step.task;
        writes += step.task == 2 ? 1 : 0;
      } else if (++reads == 2) {
        break;
      }
    }
    EXPECT_EQ(latest, 2U) << seed;
    EXPECT_EQ(writes, 3) << seed;
  }
}

// The second read should see the only write of task 1, the first one that of task 2. Unless task 1 saves its write for
// the second read, it is often gone by then.
TEST(RffChooser, LateWritesWaitForTheirReader) {
  Program program(3);
  program[0] = {at(8, read(kX)), local(), local(), at(9, read(kX))};
  program[1] = {at(1, write(kX))};
  program[2] = {local(), local(), at(2, write(kX))};
  int early = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Simulation run = run_under({{false, false, {8}, {2}, kX}, {false, true, {9}, {1}, kX}}, program, seed);
    EXPECT_EQ(seen_by(run, 8, kX), 2U) << seed;
    EXPECT_EQ(seen_by(run, 9, kX), 1U) << seed;
    const Simulation control = run_under({{false, false, {8}, {2}, kX}, {false, false, {9}, {1}, kX}}, program, seed);
    early += seen_by(control, 9, kX) != 1 ? 1 : 0;
  }
  EXPECT_GT(early, 10);
}

TEST(RffChooser, OrderOfLocks) {
  Program program(3);
  for (std::uint64_t task = 0; task < 3; ++task) {
    program[task] = {at(10 + task, lock(0x900)), local(), at(20 + task, unlock(0x900))};
  }
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    // Task 0 takes it after task 2, task 2 after task 1: so 1, 2, 0.
    const Simulation run =
        run_under({{false, false, {10}, {22}, 0x900}, {false, false, {12}, {21}, 0x900}}, program, seed);
    EXPECT_EQ(run.tasks(), "bbbcccaaa") << seed;
  }
}

TEST(RffChooser, GivesUpWhatCannotBe) {
  const std::vector<AbstractSchedule> impossible = {
      {{false, false, {9}, {77}, kX}},                               // nothing writes there
      {{false, false, {9}, {1}, kX}, {false, false, {9}, {2}, kX}},  // one read cannot see two
      {{false, false, {9}, {0}, kX}, {true, false, {9}, {0}, kX}},   // contradiction
      {{true, false, {9}, {1}, kX},
       {true, false, {9}, {2}, kX},
       {true, false, {9}, {3}, kX},
       {true, false, {9}, {0}, kX}},
  };
  for (const AbstractSchedule& schedule : impossible) {
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      const Simulation run = run_under(schedule, writers_and_reader(), seed);
      EXPECT_FALSE(run.foreign_choice || run.deadlock || run.cut);
      EXPECT_EQ(run.steps.size(), 81U);
    }
  }
  // The reader holds the lock that the write needs, and waits for the write.
  Program program(2);
  program[0] = {lock(0x900), at(9, read(kX)), unlock(0x900)};
  program[1] = {lock(0x900), at(1, write(kX)), unlock(0x900)};
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Simulation run = run_under({{false, false, {9}, {1}, kX}}, program, seed);
    EXPECT_FALSE(run.deadlock);
    EXPECT_EQ(run.steps.size(), 6U);
  }
}

TEST(RffChooser, PollingEnds) {
  for (const bool yields : {true, false}) {
    bool set = false;
    Program program(2);
    program[0] = {yields ? yield() : read(0x200), {OperationKind::read, 0x300, {}, [&] { return !set; }, 1}};
    program[1] = {at(9, read(kX, [&] { set = true; }))};
    const Simulation run = run_under({{false, false, {9}, {77}, kX}}, program, 1);
    EXPECT_FALSE(run.cut) << yields;
  }
}

TEST(RffChooser, OddDetailsAreIgnored) {
  Plan plan;
  plan.strategy = StrategyKind::rff;
  for (const std::size_t words : {1U, 7U, 9U, 8U * 100U}) {
    const std::vector<std::uint64_t> details(words, 3);
    const Simulation run = simulate(chooser_for(plan), plan, writers_and_reader(), 100'000, details);
    EXPECT_FALSE(run.foreign_choice || run.deadlock || run.cut);
  }
}

TEST(ReadsFromCorpus, GrowsByWhatIsNew) {
  ReadsFromCorpus corpus;
  const ExecutionSummary summary;
  const auto learn = [&](const std::vector<Operation>& steps, bool ours) {
    std::vector<TraceEvent> trace;
    trace.reserve(steps.size());
    for (const Operation& step : steps) trace.push_back(TraceEvent{step});
    ExecutionView view{summary};
    view.trace = trace;
    corpus.learn({}, ours, view);
  };
  const auto operation = [](OperationKind kind, TaskId task, std::uint64_t pc) {
    Operation made;
    made.kind = kind;
    made.task = task;
    made.object = kX;
    made.size = 4;
    made.pc = pc;
    return made;
  };
  const Operation writes = operation(OperationKind::write, 1, 1);
  const Operation reads = operation(OperationKind::read, 2, 9);
  learn({writes, reads}, false);
  EXPECT_EQ(corpus.pairs(), 0U) << "what another strategy stumbled upon is still new";
  EXPECT_EQ(corpus.entries(), 1U) << "the empty schedule, to begin with";
  learn({writes, reads}, true);
  const std::size_t pairs = corpus.pairs();
  EXPECT_GT(pairs, 0U);
  EXPECT_EQ(corpus.entries(), 1U) << "it was made by the empty schedule";
  learn({reads, writes}, true);
  EXPECT_GT(corpus.pairs(), pairs);
}

// A hundred writers set x, then y; the observer must see x set and y not.
TEST(RffPlanner, FindsOneObserverAmongManyWriters) {
  int x = 0;
  int y = 0;
  int seen = 0;
  bool torn = false;
  Program program(1);
  for (TaskId task = 1; task <= 101; ++task) program[0].push_back(create(task));
  for (int i = 0; i < 100; ++i) {
    program.push_back({at(1, write(kX, [&] { x = 1; })), at(2, write(kY, [&] { y = 1; }))});
  }
  program.push_back({at(3, read(kX, [&] { seen = x; })), at(4, read(kY, [&] { torn = seen != y; }))});
  std::uint64_t total = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    total += executions_to_failure(
        *make_planner("rff", seed), program, [&] { x = y = seen = 0, torn = false; }, [&] { return torn; }, 1000);
  }
  EXPECT_LE(total, 10 * 12U);
}

// Two stages under two locks, a hundred tasks: the auditor must come between the first stage of one and the second of
// all.
TEST(RffPlanner, FindsATwoStageUpdateAmongManyTasks) {
  int x = 0;
  int y = 0;
  int seen = 0;
  bool torn = false;
  const auto locked = [](std::uint64_t pc, std::uint64_t mutex, Instruction inside) {
    return std::vector<Instruction>{at(pc, lock(mutex)), at(pc + 1, std::move(inside)), at(pc + 2, unlock(mutex))};
  };
  const auto both = [](std::vector<Instruction> first, const std::vector<Instruction>& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
  };
  Program program(1);
  for (TaskId task = 1; task <= 100; ++task) program[0].push_back(create(task));
  for (int i = 0; i < 99; ++i) {
    program.push_back(both(locked(10, 0x900, write(kX, [&] { x = 1; })), locked(20, 0x940, write(kY, [&] { y = 1; }))));
  }
  program.push_back(both(locked(30, 0x900, read(kX, [&] { seen = x; })),
                         locked(40, 0x940, read(kY, [&] { torn = seen != 0 && y == 0; }))));
  std::uint64_t total = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    total += executions_to_failure(
        *make_planner("rff", seed), program, [&] { x = y = seen = 0, torn = false; }, [&] { return torn; }, 1000);
  }
  EXPECT_LE(total, 10 * 56U);
}

}  // namespace
}  // namespace ravel

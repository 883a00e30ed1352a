// SPDX-License-Identifier: Apache-2.0
// follow: records are made by hand or from simulated executions, then followed. What was recorded comes again; what was
// not, or came differently, does not lead away for long.
#include "strategies/follow.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "base/random.h"
#include "strategies/follow_details.h"
#include "strategies/registry.h"
#include "strategies/task_paths.h"
#include "tests/strategies/simulator.h"

namespace ravel {
namespace {

Plan follow_plan(std::uint64_t seed = 0) {
  Plan plan;
  plan.strategy = StrategyKind::follow;
  plan.seed = seed;
  return plan;
}

Simulation follow(const Recording& recording, const Program& program, std::uint64_t max_steps = 100'000) {
  return simulate(chooser_for(StrategyKind::follow), follow_plan(), program, max_steps, follow_details(recording));
}

Simulation searched(const Program& program, std::uint64_t seed) {
  Plan plan;
  plan.strategy = StrategyKind::random;
  plan.seed = seed;
  plan.set_parameter("switch", 1);
  return simulate(chooser_for(StrategyKind::random), plan, program);
}

// The record of a simulated execution: threads in the order of their creation.
Recording record_of(const Simulation& run, std::size_t tasks) {
  std::vector<std::uint32_t> thread_of(tasks, 0);
  std::vector<std::uint32_t> children;
  Recording recording;
  const auto add = [&](TaskId task, std::uint32_t creator) {
    thread_of[task] = static_cast<std::uint32_t>(recording.threads.size());
    children.push_back(0);
    recording.threads.push_back({creator, creator == kNoTask ? 0 : children[creator]++});
  };
  std::set<TaskId> created;
  for (const Operation& step : run.steps) {
    if (step.kind == OperationKind::task_create) created.insert(static_cast<TaskId>(step.object));
  }
  add(0, kNoTask);
  for (TaskId task = 1; task < tasks; ++task) {
    if (!created.contains(task)) add(task, 0);
  }
  for (std::size_t i = 0; i < run.steps.size(); ++i) {
    const Operation& step = run.steps[i];
    recording.events.push_back({i + 1, thread_of[step.task], step.kind, step.pc, step.object});
    if (step.kind == OperationKind::task_create) add(static_cast<TaskId>(step.object), thread_of[step.task]);
  }
  return recording;
}

// Every task but the first is created by an earlier one; locks are taken in one order and released.
Program random_program(std::uint64_t seed) {
  Random random(seed);
  Program program(2 + random.below(8));
  for (auto& body : program) {
    for (std::uint32_t n = 2 + random.below(12); n > 0; --n) {
      switch (random.below(5)) {
        case 0:
          body.push_back(yield());
          break;
        case 1:
          body.push_back(local());
          break;
        case 2:
          body.push_back(lock(1));
          body.push_back(write(100 + random.below(16)));
          body.push_back(unlock(1));
          break;
        default:
          body.push_back(random.below(2) == 0 ? read(100 + random.below(16)) : write(100 + random.below(16)));
      }
    }
  }
  for (TaskId task = 1; task < program.size(); ++task) {
    auto& creator = program[random.below(task)];
    creator.insert(creator.begin() + random.below(static_cast<std::uint32_t>(creator.size())), create(task));
  }
  return program;
}

TEST(Follow, TheOrderOfARecordComesAgain) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Program program = random_program(seed);
    const Simulation run = searched(program, seed);
    const Simulation again = follow(record_of(run, program.size()), program);
    ASSERT_EQ(again.tasks(), run.tasks()) << seed;
    ASSERT_FALSE(again.foreign_choice);
  }
}

// In another run the threads of a record may have been created in another order, and so have other numbers.
TEST(Follow, ThreadsAreNamedByTheirCreators) {
  Program program{{create(1), create(2), write(1)}, {create(3), write(1), write(1)}, {write(1)}, {write(1), write(1)}};
  const Simulation run = searched(program, 3);
  Recording recording = record_of(run, program.size());
  ASSERT_EQ(recording.threads.size(), 4U);
  // Any order in which creators come first.
  for (const std::vector<std::uint32_t>& number :
       {std::vector<std::uint32_t>{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 1, 3}, {0, 2, 3, 1}}) {
    Recording other = recording;
    bool creators_first = true;
    for (std::uint32_t i = 0; i < 4; ++i) {
      RecordedThread thread = recording.threads[i];
      thread.birth += 1;  // whatever it counts from
      if (i != 0) {
        thread.creator = number[thread.creator];
        creators_first = creators_first && thread.creator < number[i];
      }
      other.threads[number[i]] = thread;
    }
    if (!creators_first) continue;
    for (RecordedEvent& event : other.events) event.thread = number[event.thread];
    EXPECT_EQ(follow(other, program).tasks(), run.tasks());
    // Before each of them, one could not be created.
    Recording failing;
    for (std::uint32_t i = 0; i < 4; ++i) {
      RecordedThread thread = other.threads[i];
      if (i != 0) thread.creator = thread.creator == 0 ? 0 : 2 * thread.creator + 1;
      failing.threads.insert(failing.threads.end(), {thread, thread});
    }
    failing.threads[1] = {0, 1};
    failing.events = other.events;
    for (RecordedEvent& event : failing.events) event.thread = event.thread == 0 ? 0 : 2 * event.thread + 1;
    EXPECT_EQ(follow(failing, program).tasks(), run.tasks());
  }
}

// Two tasks add one each; a third reads the sum when both are done. The bug: both read before either writes.
TEST(Follow, ABugInTheRecordComesInTheFirstExecution) {
  int counter = 0;
  int seen[2] = {};
  const auto add = [&](int me) {
    return std::vector<Instruction>{local(), read(1, [&, me] { seen[me] = counter; }),
                                    write(1, [&, me] { counter = seen[me] + 1; }), local()};
  };
  const Program program{{create(1), create(2)}, add(0), add(1)};
  const auto lost = [&](const auto& execute) {
    counter = 0;
    execute();
    return counter == 1;
  };
  EXPECT_FALSE(lost([&] { simulate(chooser_for(StrategyKind::sequential), Plan{}, program); }));
  unsigned bugs = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Simulation run;
    const bool bug = lost([&] { run = searched(program, seed); });
    bugs += bug ? 1 : 0;
    const auto planner = make_follow_planner(record_of(run, program.size()), seed);
    const PlannedExecution planned = planner->next(0);
    const bool again = lost([&] { simulate(chooser_for(planned.plan), planned.plan, program, 1000, planned.details); });
    EXPECT_EQ(again, bug) << seed;
  }
  EXPECT_GT(bugs, 5U);
  EXPECT_LT(bugs, 45U);
}

// The engine has points where the parallel run had no event.
TEST(Follow, OperationsThatWereNotRecordedDoNotChangeTheOrderOfTheOthers) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Program program = random_program(seed);
    const Simulation run = searched(program, seed);
    Recording recording = record_of(run, program.size());
    const auto is_private = [](OperationKind kind) { return kind == OperationKind::fence; };
    std::erase_if(recording.events, [&](const RecordedEvent& event) { return is_private(event.kind); });
    const auto recorded = [&](const Simulation& simulation) {
      std::string names;
      for (const Operation& step : simulation.steps) {
        if (!is_private(step.kind)) names += static_cast<char>('a' + step.task);
      }
      return names;
    };
    ASSERT_EQ(recorded(follow(recording, program)), recorded(run)) << seed;
  }
}

// ... and vice versa: events for which the engine has no point.
TEST(Follow, EventsWithoutAPointArePassedOver) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Program program = random_program(seed);
    const Simulation run = searched(program, seed);
    Recording recording = record_of(run, program.size());
    Random random(seed);
    std::vector<RecordedEvent> events;
    for (RecordedEvent event : recording.events) {
      event.clock *= 8;
      events.push_back(event);
      for (std::uint32_t n = random.below(4); n > 0; --n) {
        event.clock += 1;
        event.pc = 0x900000 + random.below(1000);
        event.kind = OperationKind::atomic_load;
        events.push_back(event);
      }
    }
    recording.events = events;
    ASSERT_EQ(follow(recording, program).tasks(), run.tasks()) << seed;
  }
}

// An operation that was not recorded has a twin, hundreds of events later, that was. The match is wrong, and its task
// waits too long; but from the twin on everything is as recorded.
TEST(Follow, AWrongMatchDoesNotLeadAwayForEver) {
  Program program{{at(0x100, create(1))}, {at(0x5000, write(1))}};
  Recording recording;
  recording.threads = {{kNoTask, 0}, {0, 0}};
  std::uint64_t clock = 1;
  std::string recorded;
  const auto both = [&](std::uint32_t task, std::uint64_t pc) {
    program[task].push_back(at(pc, write(1)));
    recording.events.push_back({clock++, task, OperationKind::write, pc, 1});
    recorded += static_cast<char>('a' + task);
  };
  recording.events.push_back({clock++, 0, OperationKind::task_create, 0x100, 1});
  for (std::uint64_t i = 0; i < 200; ++i) both(i % 2, 0x10000 + i);
  both(1, 0x5000);
  Random random(1);
  for (std::uint64_t i = 0; i < 200; ++i) both(random.below(2), 0x20000 + i);
  const Simulation again = follow(recording, program);
  ASSERT_EQ(again.steps.size(), 2 + recorded.size());
  EXPECT_EQ(again.tasks().substr(2 + 201), recorded.substr(201));
}

std::size_t events_in(const std::vector<std::uint64_t>& details) {
  return details.size() - kFollowHeaderWords - details[0] * kFollowThreadWords;
}

// In the engine a waiting loop makes as many rounds as it must, so the record's number of rounds means nothing.
TEST(Follow, RoundsOfWaitingAreFolded) {
  bool flag = false;
  const auto waiter = [&] {
    Instruction again = read(1);
    again.repeat = [&] { return !flag; };
    return std::vector<Instruction>{again, write(3)};
  };
  Program program{{create(1), write(2), write(2), write(1, [&] { flag = true; }), write(3)}, waiter()};
  // T0 writes twice, T1 reads 5000 times in between and once after the flag is set; T1 writes before T0 does.
  Recording recording;
  recording.threads = {{kNoTask, 0}, {0, 0}};
  std::uint64_t clock = 1;
  const auto event = [&](std::uint32_t thread, OperationKind kind, std::uint64_t at, std::uint64_t object) {
    recording.events.push_back({clock++, thread, kind, ((std::uint64_t{thread} + 1) << 16) + at, object});
  };
  event(0, OperationKind::task_create, 0, 1);
  event(0, OperationKind::write, 1, 2);
  for (int i = 0; i < 5000; ++i) event(1, OperationKind::read, 0, 1);
  event(0, OperationKind::write, 2, 2);
  event(0, OperationKind::write, 3, 1);
  event(1, OperationKind::read, 0, 1);
  event(1, OperationKind::write, 1, 3);
  event(0, OperationKind::write, 4, 3);
  const std::vector<std::uint64_t> details = follow_details(recording);
  EXPECT_EQ(events_in(details), 4U + 2U + 1U);  // without the creation, when there was one thread
  // a creates and writes, b reads, a writes and sets the flag, b reads again and writes, then a.
  EXPECT_EQ(follow(recording, program, 1000).tasks(), "aabaabba");
}

// A loop over an array is not a wait: where the other task came in between matters.
TEST(Follow, RoundsOfWorkAreKept) {
  Program program{{create(1)}, {}};
  Recording recording;
  recording.threads = {{kNoTask, 0}, {0, 0}};
  recording.events.push_back({1, 0, OperationKind::task_create, 1U << 16, 1});
  program[0][0].pc = 1U << 16;
  for (std::uint64_t i = 0; i < 50; ++i) {
    program[0].push_back(at(0x100, write(1000 + i)));
    program[1].push_back(at(0x200, read(1000 + i)));
    recording.events.push_back({2 + 2 * (i < 25 ? i : 2 * i), 0, OperationKind::write, 0x100, 1000 + i});
    recording.events.push_back({3 + 2 * i, 1, OperationKind::read, 0x200, 1000 + i});
  }
  EXPECT_EQ(events_in(follow_details(recording)), 100U);
  std::string expected = "a";
  std::vector<RecordedEvent> sorted(recording.events.begin() + 1, recording.events.end());
  std::sort(sorted.begin(), sorted.end(),
            [](const auto& a, const auto& b) { return a.clock != b.clock ? a.clock < b.clock : a.thread < b.thread; });
  for (const RecordedEvent& event : sorted) expected += static_cast<char>('a' + event.thread);
  EXPECT_EQ(follow(recording, program).tasks(), expected);
}

// The record has many more rounds of a work loop than the engine makes, further than the chooser looks ahead.
TEST(Follow, ALoopMayBeLeftEarlierThanInTheRecord) {
  Recording recording;
  recording.threads = {{kNoTask, 0}, {0, 0}};
  std::uint64_t clock = 1;
  const auto event = [&](std::uint32_t thread, OperationKind kind, std::uint64_t pc) {
    recording.events.push_back({clock++, thread, kind, pc, 1});
  };
  event(0, OperationKind::task_create, 0x100);
  for (int i = 0; i < 4000; ++i) {
    event(1, OperationKind::mutex_lock, 0x200);
    event(1, OperationKind::mutex_unlock, 0x208);
  }
  event(0, OperationKind::write, 0x108);
  event(1, OperationKind::write, 0x210);
  event(0, OperationKind::write, 0x110);
  event(1, OperationKind::write, 0x218);
  const Program program{{at(0x100, create(1)), at(0x108, write(1)), at(0x110, write(1))},
                        {at(0x200, lock(1)), at(0x208, unlock(1)), at(0x200, lock(1)), at(0x208, unlock(1)),
                         at(0x210, write(1)), at(0x218, write(1))}};
  EXPECT_EQ(follow(recording, program).tasks(), "abbbbabab");
}

// What T0 does before there is another task has no points in the engine.
TEST(Follow, WhatHappenedAloneIsLeftOut) {
  Recording recording;
  recording.threads = {{kNoTask, 0}, {0, 0}, {0, 1}};
  std::uint64_t clock = 1;
  const auto event = [&](std::uint32_t thread, OperationKind kind, std::uint64_t pc) {
    recording.events.push_back({clock++, thread, kind, pc, 1});
  };
  for (std::uint64_t i = 0; i < 3000; ++i) event(0, OperationKind::mutex_lock, 0x10000 + i);
  event(0, OperationKind::task_create, 0x100);
  event(1, OperationKind::write, 0x200);
  event(0, OperationKind::write, 0x108);
  event(1, OperationKind::write, 0x208);
  event(0, OperationKind::task_join, 0x110);
  for (std::uint64_t i = 0; i < 3000; ++i) event(0, OperationKind::mutex_lock, 0x20000 + i);
  event(0, OperationKind::task_create, 0x118);
  event(2, OperationKind::write, 0x300);
  event(0, OperationKind::write, 0x120);
  event(2, OperationKind::write, 0x308);
  EXPECT_EQ(events_in(follow_details(recording)), 6U);
}

TEST(Follow, WhatDoesNotFitIsCutAtTheEnd) {
  const Program program = random_program(5);
  const Simulation run = searched(program, 5);
  const Recording recording = record_of(run, program.size());
  const std::size_t whole = follow_details(recording).size();
  for (std::size_t most = 0; most <= whole; ++most) {
    const std::vector<std::uint64_t> details = follow_details(recording, most);
    ASSERT_LE(details.size(), most);
    const Simulation again = simulate(chooser_for(StrategyKind::follow), follow_plan(), program, 100'000, details);
    ASSERT_FALSE(again.cut || again.deadlock || again.foreign_choice);
    ASSERT_EQ(again.steps.size(), run.steps.size());
    if (details.empty()) continue;
    const std::size_t kept = events_in(details);
    EXPECT_TRUE(again.tasks().starts_with(run.tasks().substr(0, kept))) << most;
  }
}

// Work loops lose rounds only when there is no other way.
TEST(Follow, LongLoopsAreShortenedToFit) {
  Recording recording;
  recording.threads = {{kNoTask, 0}, {0, 0}};
  for (std::uint64_t i = 0; i < 10'000; ++i) {
    recording.events.push_back({i + 1, static_cast<std::uint32_t>(i % 2), OperationKind::atomic_rmw, 0x100 + i % 2, i});
  }
  EXPECT_EQ(events_in(follow_details(recording)), 10'000U);
  const std::vector<std::uint64_t> shortened = follow_details(recording, 2000);
  EXPECT_EQ(events_in(shortened), 2U * 512);
}

TEST(Follow, TasksThatWaitByYieldingDoNotStarveTheOthers) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    bool flag = false;
    const auto wait = [&] {
      Instruction again = yield();
      again.repeat = [&] { return !flag; };
      again.back = 1;
      return std::vector<Instruction>{read(1), again};
    };
    const Program program{wait(), wait(), {local(), local(), write(1, [&] { flag = true; })}};
    const Simulation run = searched(program, seed);
    flag = false;
    Recording recording = record_of(run, program.size());
    // Whole, and with events missing.
    Random random(seed);
    if (seed % 2 == 1) std::erase_if(recording.events, [&](const RecordedEvent&) { return random.below(2) == 0; });
    ASSERT_FALSE(follow(recording, program, 20'000).cut) << seed;
    flag = false;
    ASSERT_FALSE(simulate(chooser_for(StrategyKind::follow), follow_plan(), program, 20'000).cut) << seed;
  }
}

// Details are read in the target: whatever they contain, it chooses among the enabled tasks and ends.
TEST(Follow, NonsenseInTheDetailsDoesNoHarm) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const Program program = random_program(seed);
    std::vector<std::uint64_t> details = follow_details(record_of(searched(program, seed), program.size()));
    Random random(seed);
    if (seed % 2 == 0) {
      details.resize(random.below(static_cast<std::uint32_t>(details.size())));
    } else {
      for (std::uint64_t& word : details) word = random.below(3) == 0 ? random.next() : word;
    }
    const Simulation again = simulate(chooser_for(StrategyKind::follow), follow_plan(seed), program, 100'000, details);
    ASSERT_FALSE(again.foreign_choice || again.cut || again.deadlock) << seed;
  }
}

TEST(Follow, ChoicesOfTheEnvironmentAreQuietWhereTheRecordIsFollowedExactly) {
  Chooser& chooser = chooser_for(StrategyKind::follow);
  chooser.begin(follow_plan(), {});
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(chooser.choose_environment(EnvironmentKind::notify_target, 3), 0U);
    EXPECT_EQ(chooser.choose_environment(EnvironmentKind::spurious_wakeup, 2), 0U);
    EXPECT_EQ(chooser.choose_store(4), 0U);
  }
  chooser.begin(follow_plan(1), {});
  std::set<std::uint32_t> targets;
  for (int i = 0; i < 100; ++i) {
    targets.insert(chooser.choose_environment(EnvironmentKind::notify_target, 3));
    EXPECT_EQ(chooser.choose_environment(EnvironmentKind::spurious_wakeup, 2), 0U);
    EXPECT_EQ(chooser.choose_store(4), 0U);
  }
  EXPECT_EQ(targets.size(), 3U);
}

// In the engine a sleeper continues last, unless its time is said to have passed.
TEST(Follow, ASleepIsOverWhenTheRecordGoesOn) {
  const auto answer = [](OperationKind next, OperationKind latest) {
    Recording recording;
    recording.threads = {{kNoTask, 0}, {0, 0}};
    recording.events = {{1, 0, OperationKind::task_create, 0x10, 1},
                        {2, 0, OperationKind::write, 0x20, 1},
                        {3, 1, OperationKind::write, 0x30, 1},
                        {4, 0, next, 0x40, 1},
                        {5, 1, OperationKind::write, 0x50, 1}};
    const std::vector<std::uint64_t> details = follow_details(recording);
    Chooser& chooser = chooser_for(StrategyKind::follow);
    chooser.begin(follow_plan(), details);
    Operation operation;
    operation.task = 0;
    operation.kind = OperationKind::write;
    operation.pc = 0x20;
    chooser.on_pending(operation);
    chooser.on_step(operation);
    operation.kind = latest;
    operation.pc = 0x38;
    chooser.on_pending(operation);
    chooser.on_step(operation);
    return chooser.choose_environment(EnvironmentKind::early_timeout, 2);
  };
  EXPECT_EQ(answer(OperationKind::mutex_lock, OperationKind::fence), 1U);
  EXPECT_EQ(answer(OperationKind::sleep, OperationKind::fence), 1U);
  EXPECT_EQ(answer(OperationKind::mutex_timed_lock, OperationKind::fence), 0U) << "it waits for the lock";
  EXPECT_EQ(answer(OperationKind::condition_wake, OperationKind::condition_timed_wait), 0U) << "and for a notification";
}

TEST(FollowPlanner, TheFirstTwoAreExactAndTheOthersLeaveMoreAndMore) {
  Program program(3);
  program[0] = {create(1), create(2)};
  for (auto& task : program) task.insert(task.end(), 100, write(1));
  const Simulation run = searched(program, 7);
  const auto planner = make_follow_planner(record_of(run, 3), 9);
  const auto distance = [&](const Simulation& other) {
    unsigned differs = 0;
    for (std::size_t i = 0; i < run.steps.size(); ++i) differs += other.steps[i].task != run.steps[i].task ? 1 : 0;
    return differs;
  };
  std::set<std::string> orders;
  unsigned early = 0;
  unsigned late = 0;
  for (std::uint64_t execution = 0; execution < 200; ++execution) {
    const PlannedExecution planned = planner->next(execution);
    EXPECT_EQ(planned.plan.strategy, StrategyKind::follow);
    const Simulation again = simulate(chooser_for(planned.plan), planned.plan, program, 10'000, planned.details);
    ASSERT_EQ(again.steps.size(), run.steps.size());
    if (execution < 2) {
      EXPECT_EQ(planned.plan.seed, 0U);
      EXPECT_EQ(again.tasks(), run.tasks());
    } else {
      EXPECT_NE(planned.plan.seed, 0U);
      orders.insert(again.tasks());
    }
    if (execution >= 2 && execution < 52) early += distance(again);
    if (execution >= 150) late += distance(again);
    ExecutionSummary summary;
    summary.steps = again.steps.size();
    planner->learn(planned, ExecutionView{summary});
  }
  EXPECT_GT(orders.size(), 150U);
  EXPECT_GT(early, 0U);
  EXPECT_GT(late, 2 * early);
}

TEST(FollowPlanner, SameSeedSamePlans) {
  const Program program = random_program(3);
  const Recording recording = record_of(searched(program, 3), program.size());
  const auto first = make_follow_planner(recording, 5);
  const auto second = make_follow_planner(recording, 5);
  const auto other = make_follow_planner(recording, 6);
  for (std::uint64_t execution = 0; execution < 50; ++execution) {
    const PlannedExecution planned = first->next(execution);
    EXPECT_TRUE(planned == second->next(execution));
    EXPECT_EQ(planned == other->next(execution), execution < 2);
  }
}

TEST(FollowPlanner, NobodyCanAskForItByName) {
  EXPECT_EQ(make_planner("follow", 1), nullptr);
  for (const StrategyDescription& strategy : list_strategies()) EXPECT_STRNE(strategy.name, "follow");
}

}  // namespace
}  // namespace ravel

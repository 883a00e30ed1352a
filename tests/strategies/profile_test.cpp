// SPDX-License-Identifier: Apache-2.0
// What is learned from traces, and that odd ones do no harm.
#include <gtest/gtest.h>

#include <vector>

#include "strategies/profile.h"
#include "strategies/registry.h"
#include "strategies/task_paths.h"
#include "tests/strategies/learning.h"

namespace ravel {
namespace {

constexpr std::uint64_t kShared = 0x100;
constexpr std::uint64_t kReadOnly = 0x140;
constexpr std::uint64_t kMutex = 0x900;

Program two_workers() {
  Program program(3);
  program[0] = {create(1), create(2), write(0x500), read(kReadOnly)};
  for (TaskId task = 1; task <= 2; ++task) {
    program[task] = {at(1, lock(kMutex)), at(2, read(kShared)), at(3, write(kShared)), at(4, unlock(kMutex)),
                     at(5, read(kReadOnly))};
  }
  return program;
}

Profile profile_of(const Program& program, int traces) {
  Profile profile;
  const ExecutionSummary summary;
  for (int i = 0; i < traces; ++i) {
    Plan plan;
    plan.strategy = StrategyKind::random;
    plan.seed = static_cast<std::uint64_t>(i);
    const std::vector<TraceEvent> trace = simulate(chooser_for(plan), plan, program).trace();
    ExecutionView view{summary};
    view.trace = trace;
    profile.learn(view);
  }
  return profile;
}

TEST(Profile, KnowsWhatIsShared) {
  const Profile profile = profile_of(two_workers(), 3);
  ASSERT_EQ(profile.shared().size(), 2U);
  const Profile::SharedObject& memory = profile.shared()[0];
  EXPECT_EQ(memory.object, kShared);
  EXPECT_EQ(memory.tasks, 2U);
  EXPECT_FALSE(memory.lock);
  EXPECT_EQ(memory.locations, (std::vector<std::uint64_t>{2, 3}));
  EXPECT_EQ(memory.writing_locations, (std::vector<std::uint64_t>{3}));
  EXPECT_EQ(profile.shared()[1].object, kMutex);
  EXPECT_TRUE(profile.shared()[1].lock);
  EXPECT_EQ(profile.families(), 2U);
}

Operation operation(OperationKind kind, TaskId task, std::uint64_t object) {
  Operation made;
  made.kind = kind;
  made.task = task;
  made.object = object;
  return made;
}

// T0 creates two tasks, the first of which creates one. Ids are assigned in order of creation, so the grandchild is T3
// or T2; its path is the same.
TEST(Profile, KnowsTasksByTheirPaths) {
  constexpr auto kCreate = OperationKind::task_create;
  const std::vector<std::vector<TraceEvent>> traces = {
      {{operation(kCreate, 0, 1)},
       {operation(kCreate, 0, 2)},
       {operation(kCreate, 1, 3)},
       {operation(OperationKind::write, 3, kShared)}},
      {{operation(kCreate, 0, 1)},
       {operation(kCreate, 1, 2)},
       {operation(kCreate, 0, 2)},
       {operation(OperationKind::write, 2, kShared)}},
  };
  Profile profile;
  const ExecutionSummary summary;
  for (const auto& trace : traces) profile.learn(ExecutionView{summary, trace});
  ASSERT_EQ(profile.cells().size(), 1U);
  const std::uint64_t first = child_path(kMainPath, 0);
  EXPECT_EQ(profile.cells()[0].task, child_path(first, 0));
  EXPECT_NEAR(profile.cells()[0].count, 1, 0.01);
  ASSERT_EQ(profile.tasks().back().path, child_path(first, 0));
  EXPECT_EQ(profile.tasks().back().creator, first);
}

// The first creation is not a step, since no other task lives: its task appears out of nowhere and still is T0's first.
TEST(TracedPaths, CreationsWithoutAStep) {
  TracedPaths paths;
  paths.see(operation(OperationKind::task_create, 0, 2));
  paths.see(operation(OperationKind::task_start, 2, 0));
  paths.see(operation(OperationKind::task_create, 2, 3));
  paths.see(operation(OperationKind::task_start, 1, 0));
  EXPECT_EQ(paths.path(0), kMainPath);
  EXPECT_EQ(paths.path(1), child_path(kMainPath, 0));
  EXPECT_EQ(paths.path(2), child_path(kMainPath, 1));
  EXPECT_EQ(paths.path(3), child_path(child_path(kMainPath, 1), 0));
}

TEST(Profile, AsksForTracesFirstThenNowAndThen) {
  Profile profile;
  const ExecutionSummary summary;
  const std::vector<TraceEvent> trace = {TraceEvent{}};
  int asked = 0;
  for (int i = 0; i < 164; ++i) {
    ExecutionView view{summary};
    if (profile.wants_trace()) {
      view.trace = trace;
      ++asked;
    }
    profile.learn(view);
  }
  EXPECT_EQ(asked, 4 + 160 / 16);
  ExecutionView view{summary};
  view.new_sites = 3;
  profile.learn(view);
  EXPECT_TRUE(profile.wants_trace());
}

// Whatever an execution leaves behind, the next plan can be made and performed.
TEST(LearningPlanners, OddViewsDoNoHarm) {
  Operation nonsense;
  nonsense.task = kNoTask;
  nonsense.object = ~0ULL;
  Operation unknown;
  unknown.task = kMaxTasks - 1;
  unknown.kind = OperationKind::task_create;
  unknown.object = ~0ULL;
  const std::vector<std::vector<TraceEvent>> traces = {
      {}, {TraceEvent{nonsense}}, {TraceEvent{unknown}, TraceEvent{unknown}}, {TraceEvent{}}};
  const std::vector<OfferedChoice> offered = {
      {0, DecisionKind::reads_from, EnvironmentKind::spurious_wakeup, 0, 2, 1, 0},
      {~0ULL, DecisionKind::reads_from, EnvironmentKind::spurious_wakeup, 0, 2, 1, 0}};
  for (const char* name : {"surw", "rff"}) {
    const auto planner = make_planner(name, 1);
    std::uint64_t execution = 0;
    for (const auto& trace : traces) {
      for (const bool failed : {false, true}) {
        ExecutionSummary summary;
        summary.outcome = failed ? Outcome::stopped : Outcome::cut;
        summary.trace_full = failed ? 1 : 0;
        const PlannedExecution planned = planner->next(execution++);
        ExecutionView view{summary, trace, offered};
        view.failed = failed;
        view.new_sites = 1;
        planner->learn(planned, view);
        planner->learn(PlannedExecution{}, view);
      }
    }
    for (int i = 0; i < 50; ++i) {
      const Simulation run = simulate_and_learn(*planner, execution++, two_workers());
      EXPECT_FALSE(run.foreign_choice || run.deadlock || run.cut) << name;
      EXPECT_EQ(run.steps.size(), 14U);
    }
  }
}

TEST(LearningPlanners, SameSeedSameCampaign) {
  for (const char* name : {"surw", "rff"}) {
    const auto first = make_planner(name, 3);
    const auto second = make_planner(name, 3);
    const auto other = make_planner(name, 4);
    int different = 0;
    for (std::uint64_t execution = 0; execution < 60; ++execution) {
      const std::string tasks = simulate_and_learn(*first, execution, two_workers()).tasks();
      EXPECT_EQ(tasks, simulate_and_learn(*second, execution, two_workers()).tasks()) << name;
      different += tasks != simulate_and_learn(*other, execution, two_workers()).tasks() ? 1 : 0;
    }
    EXPECT_GT(different, 20) << name;
  }
}

}  // namespace
}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
// What an execution leaves behind: findings, and what its plan asks for besides.
#include <gtest/gtest.h>

#include "scheduler_script.h"

namespace ravel::test {
namespace {

TEST(Findings, AreWrittenDownAtOnce) {
  const Script run = play(R"(
    A: point, report user first, point, report lock-misuse second
    B: point
    --
    A point, report user first
    user by A: first
    B point
    A point, report lock-misuse second
    lock-misuse by A: second
  )");
  ASSERT_EQ(run.result().findings, 2U);
  const FindingRecord& finding = run.result().finding[1];
  EXPECT_EQ(finding.kind, FindingKind::lock_misuse);
  EXPECT_EQ(finding.task, 1U);
  EXPECT_EQ(finding.participants, 1U);
  EXPECT_EQ(finding.participant[0].operation.task, 1U);
  EXPECT_GT(finding.participant[0].stack.count, 0U);
  EXPECT_EQ(finding.step, run.result().finding[0].step + 2);
}

TEST(Findings, TheExecutionGoesOn) {
  play(R"(
    A: report user first, point
    B: point
    --
    A starts, report user first
    user by A: first
    A point
  )");
}

TEST(Findings, StopEndsTheExecutionAtOnce) {
  const Script run = play(R"(
    A: point, stop, point
    B: point
    --
    A point, stop
  )");
  EXPECT_EQ(run.result().summary.outcome, Outcome::stopped);
}

TEST(Findings, RacesLeaveRoomForOthers) {
  std::string expected;
  for (std::size_t i = 0; i < kMaxFindings; ++i)
    expected += i < kMaxRaces ? "data-race by A: race\n" : "user by A: other\n";
  play(R"(
    A: point, repeat 11 report data-race race, repeat 7 report user other
    --
    ...
  )" + expected);
}

TEST(Findings, OfADeadlockHaveAStackForEverybody) {
  const Script run = play(R"(
    A: point, await k
    B: point, await l
    --
    A point
    B point
    deadlock: A wait k, B wait l
  )");
  const FindingRecord& finding = run.result().finding[0];
  ASSERT_EQ(finding.participants, 3U);
  for (const ParticipantRecord& part : {finding.participant[0], finding.participant[1], finding.participant[2]}) {
    EXPECT_GT(part.stack.count, 1U);
    EXPECT_EQ(part.blocked, 1U);
  }
}

// -- the trace --------------------------------------------------------------------------------------------------------

std::vector<TraceEvent> trace_of(const Script& run) {
  return {run.result().trace, run.result().trace + run.result().summary.trace_events};
}

TEST(Trace, IsMadeOnlyWhenThePlanAsksForIt) {
  const Script run = play(R"(
    A: write x 1
    --
    A write x 1
  )");
  EXPECT_EQ(run.result().summary.trace_events, 0U);
}

TEST(Trace, HasEachStepInOrder) {
  const Script run = play(R"(
    plan trace
    A: write x 1, read y
    B: read x
    --
    A write x 1
    B read x = 1
    A read y = 0
  )");
  std::vector<std::pair<TaskId, OperationKind>> accesses;
  for (const TraceEvent& event : trace_of(run)) {
    if (is_memory_access(event.operation.kind)) accesses.emplace_back(event.operation.task, event.operation.kind);
  }
  EXPECT_EQ(accesses,
            (std::vector<std::pair<TaskId, OperationKind>>{
                {1, OperationKind::atomic_store}, {2, OperationKind::atomic_load}, {1, OperationKind::atomic_load}}));
  EXPECT_EQ(trace_of(run).size(), run.result().summary.steps);
}

TEST(Trace, TellsPreemptions) {
  const Script run = play(R"(
    plan trace
    A: write x 1, write x 2
    B: read x, point
    --
    A write x 1
    A write x 2
    B read x = 2
    A ends
  )");
  std::vector<TaskId> preempting;
  for (const TraceEvent& event : trace_of(run)) {
    if (is_memory_access(event.operation.kind) && (event.flags & kTracePreempts) != 0) {
      preempting.push_back(event.operation.task);
    }
  }
  // A takes the turn from B, which had started last; B from A, which could have ended.
  EXPECT_EQ(preempting, (std::vector<TaskId>{1, 2}));
}

TEST(Trace, TellsWhatMemoryHeldBeforeAndAfter) {
  const Script run = play(R"(
    plan trace=values
    A: write x 1, write x 5, point
    --
    A write x 1
    A write x 5
    A point
  )");
  std::vector<std::uint64_t> values;
  for (const TraceEvent& event : trace_of(run)) {
    if (event.operation.kind != OperationKind::atomic_store) continue;
    EXPECT_EQ(event.flags & (kTraceBeforeKnown | kTraceAfterKnown), kTraceBeforeKnown | kTraceAfterKnown);
    values.push_back(event.before);
    values.push_back(event.after);
  }
  EXPECT_EQ(values, (std::vector<std::uint64_t>{0, 1, 1, 5}));
  EXPECT_GT(run.result().step_stack[run.result().summary.trace_events - 2].count, 0U);
}

TEST(Trace, OfAnExhaustiveSearchTellsWhoCouldHaveMadeTheStep) {
  const Script run = play(R"(
    plan trace exhaustive
    A: write x 1, await k
    B: read x, open k
    --
    A write x 1  | B
    B read x = 1
    B open k     | A B
    A await k
  )");
  std::vector<std::uint64_t> enabled;
  std::vector<bool> changed;
  for (const TraceEvent& event : trace_of(run)) {
    if (event.operation.kind == OperationKind::task_create || event.operation.kind == OperationKind::task_start)
      continue;
    enabled.push_back(event.enabled);
    changed.push_back((event.flags & kTraceChanged) != 0);
  }
  EXPECT_EQ(enabled, (std::vector<std::uint64_t>{0b110, 0b100, 0b100, 0b110}));
  EXPECT_EQ(changed, (std::vector<bool>{true, false, true, false}));
}

TEST(Trace, TellsWhichStepsCameAfterIdleness) {
  const Script run = play(R"(
    plan trace exhaustive
    A: sleep 5ms, point
    --
    at 5ms
    A sleep 5ms
    A point
  )");
  for (const TraceEvent& event : trace_of(run)) {
    const bool after_idle = (event.flags & kTraceAfterIdle) != 0;
    EXPECT_EQ(after_idle, event.operation.kind == OperationKind::sleep) << operation_name(event.operation.kind);
  }
}

TEST(Trace, HasTheChoicesThatWereOffered) {
  const Script run = play(R"(
    plan trace
    A: decide 3, decide 1, pick x 2
    --
    A(choose 2) decide 3 = 2
    A decide 1 = 0
    A pick x 2 = 0
  )");
  ASSERT_EQ(run.result().summary.offered, 2U);
  EXPECT_EQ(run.result().offered[0].kind, DecisionKind::environment);
  EXPECT_EQ(run.result().offered[0].options, 3U);
  EXPECT_EQ(run.result().offered[0].taken, 2U);
  EXPECT_EQ(run.result().offered[1].kind, DecisionKind::reads_from);
  EXPECT_EQ(run.result().offered[1].options, 2U);
}

TEST(Trace, EndsWithWhatTasksWaitedFor) {
  const Script run = play(R"(
    plan trace
    A: point, await k
    B: point, await l
    --
    A point
    B point
    deadlock: A wait k, B wait l
  )");
  ASSERT_EQ(run.result().summary.waiting, 3U);
  EXPECT_EQ(run.result().waiting[0].kind, OperationKind::task_join);
  EXPECT_EQ(run.result().waiting[1].kind, OperationKind::condition_wait);
  EXPECT_EQ(run.result().waiting[2].task, 2U);
}

}  // namespace
}  // namespace ravel::test

// SPDX-License-Identifier: Apache-2.0
#include "driver/findings/conflicts.h"

#include <gtest/gtest.h>

#include <vector>

namespace ravel {
namespace {

TraceEvent step(TaskId task, OperationKind kind, std::uint64_t object, std::uint64_t pc, bool preempts = false) {
  TraceEvent event = {};
  event.operation.task = task;
  event.operation.kind = kind;
  event.operation.object = object;
  event.operation.pc = pc;
  event.operation.size = 4;
  if (preempts) event.flags |= kTracePreempts;
  return event;
}

constexpr std::uint64_t kFlag = 0x1000;
constexpr std::uint64_t kOther = 0x2000;

TEST(Conflicts, FindsTheNearestConflictOnEitherSide) {
  const std::vector<TraceEvent> trace = {
      step(1, OperationKind::write, kFlag, 1), step(1, OperationKind::write, kOther, 2),
      step(2, OperationKind::read, kFlag, 3),  step(3, OperationKind::read, kFlag, 4),
      step(2, OperationKind::write, kFlag, 5),
  };
  const Conflicts conflicts(trace);
  EXPECT_EQ(conflicts.next_conflict(0), 2U);
  EXPECT_EQ(conflicts.previous_conflict(3), 0U) << "two reads do not conflict";
  EXPECT_EQ(conflicts.previous_conflict(4), 3U);
  EXPECT_EQ(conflicts.next_conflict(1), trace.size());
  EXPECT_EQ(conflicts.previous_conflict(0), trace.size());
}

TEST(Conflicts, PointsLeadToTheTasksThatConflict) {
  const std::vector<TraceEvent> trace = {
      step(1, OperationKind::read, kFlag, 1),
      step(2, OperationKind::read, kFlag, 2),
      step(3, OperationKind::write, kFlag, 3),
  };
  const Conflicts conflicts(trace);
  for (const PreemptionPoint& point : conflicts.points(0, 4)) {
    if (point.task != 3) {
      EXPECT_EQ(point.next, 3U) << "the readers leave each other alone";
    }
  }
}

// A livelock is a million steps on a few objects, with a preemption every few steps: were each compared with each, this
// would take an hour.
TEST(Conflicts, LongLoopsTakeNoLongerThanTheyAreLong) {
  constexpr std::size_t kSteps = 400'000;
  std::vector<TraceEvent> trace;
  for (std::size_t i = 0; i < kSteps; ++i) {
    const TaskId task = 1 + static_cast<TaskId>(i / 2 % 2);
    trace.push_back(step(task, OperationKind::atomic_rmw, kFlag, task, i % 2 == 0));
  }
  const Conflicts conflicts(trace);
  EXPECT_EQ(conflicts.points(0, 8).size(), 2 * kSteps - (kSteps - 2)) << "a place between two steps of a task is one";
  std::size_t found = 0;
  for (std::size_t i = 0; i < kSteps; ++i) found += conflicts.previous_conflict(i) < kSteps ? 1 : 0;
  EXPECT_EQ(found, kSteps - 2);
}

}  // namespace
}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
// Spans of an explained execution: from where a lock is taken to where it is released, and what a task waits for.
#include "reports/timeline.h"

#include <gtest/gtest.h>

#include "tests/reports/sample_explanation.h"

namespace ravel {
namespace {

using Spans = std::vector<TimelineSpan>;

TEST(Timeline, LocksAreHeldFromLockToUnlock) {
  const Timeline timeline = timeline_of(sample_explanation().steps);
  // T1 from step 2 to step 4; T2 from step 5 to the end, for it waits then.
  EXPECT_EQ(timeline.held, (Spans{{1, "mutex", 1, 3, kNoTask}, {2, "mutex", 4, 7, kNoTask}}));
  EXPECT_EQ(timeline.waits, (Spans{{2, "other_mutex", 5, 7, 1}}));
}

TEST(Timeline, AWaitEndsWithTheNextStepOfTheTask) {
  std::vector<ExplainedStep> steps = {
      bank_step(1, 1, OperationKind::read, "a", 1), bank_step(2, 2, OperationKind::mutex_unlock, "m", 2),
      bank_step(3, 1, OperationKind::mutex_lock, "m", 3), bank_step(4, 1, OperationKind::task_end, "", 4)};
  steps[0].leaves = SwitchReason::blocked;
  steps[0].leaves_for = "m";
  steps[0].holder = 2;
  steps[1].held = {"m"};
  steps[3].held = {"m"};
  const Timeline timeline = timeline_of(steps);
  EXPECT_EQ(timeline.waits, (Spans{{1, "m", 0, 2, 2}}));
  EXPECT_EQ(timeline.held, (Spans{{2, "m", 1, 1, kNoTask}, {1, "m", 2, 3, kNoTask}}));
}

TEST(Timeline, AWaitOnAConditionReleasesItsMutex) {
  std::vector<ExplainedStep> steps = {bank_step(1, 1, OperationKind::mutex_lock, "m", 1),
                                      bank_step(2, 1, OperationKind::condition_wait, "c", 2)};
  steps[1].held = {"m"};
  steps[1].releases = "m";
  steps[1].leaves = SwitchReason::waits;
  steps[1].leaves_for = "c";
  EXPECT_EQ(timeline_of(steps).held, (Spans{{1, "m", 0, 1, kNoTask}}));
  EXPECT_EQ(timeline_of(steps).waits, (Spans{{1, "c", 1, 2, kNoTask}}));
}

TEST(Timeline, PreemptionIsNoWait) {
  std::vector<ExplainedStep> steps = {bank_step(1, 1, OperationKind::read, "a", 1),
                                      bank_step(2, 2, OperationKind::read, "a", 1)};
  steps[0].leaves = SwitchReason::preempted;
  EXPECT_EQ(timeline_of(steps).waits, Spans{});
  EXPECT_EQ(timeline_of({}).held, Spans{});
}

}  // namespace
}  // namespace ravel

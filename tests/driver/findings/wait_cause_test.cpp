// SPDX-License-Identifier: Apache-2.0
// Waits that never end: what of the trace is suspected, and what is not.
#include "driver/findings/wait_cause.h"

#include <gtest/gtest.h>

#include "driver/findings/wait_history.h"
#include "tests/driver/findings/trace_script.h"

namespace ravel {
namespace {

WaitHistory history_of(const TraceScript& script) { return {script.trace, script.decisions}; }

TEST(WaitHistory, ANotificationWakesWhoWasChosen) {
  const TraceScript script(R"(
    1 wait c m
    2 wait c m
    3 notify-one c
    ! notify-target 1
    2 wake c m
  )");
  const WaitHistory history = history_of(script);
  ASSERT_EQ(history.spans().size(), 2U);
  EXPECT_EQ(history.spans()[0].how, WaitEnd::never);
  EXPECT_EQ(history.spans()[1].how, WaitEnd::notified);
  EXPECT_EQ(history.spans()[1].end, 3U);
  ASSERT_EQ(history.notifications().size(), 1U);
  EXPECT_EQ(history.notifications()[0].waited.size(), 2U);
  EXPECT_NE(history.last_of(1), nullptr);
  EXPECT_EQ(history.last_of(2), nullptr);
}

TEST(WaitHistory, ToldApartAreTimeOutSpuriousWakeUpAndNotification) {
  const TraceScript script(R"(
    1 timed-wait c m
    1 wake c m
    2 wait c m
    ! spurious-wakeup 1
    2 wake c m
    3 wait c m
    4 notify-all c
    3 wake c m
  )");
  const WaitHistory history = history_of(script);
  ASSERT_EQ(history.spans().size(), 3U);
  EXPECT_EQ(history.spans()[0].how, WaitEnd::timed_out);
  EXPECT_EQ(history.spans()[1].how, WaitEnd::spurious);
  EXPECT_EQ(history.spans()[2].how, WaitEnd::notified);
}

TEST(WaitHistory, AFutexWhoseValueHasChangedIsNotWaitedFor) {
  const TraceScript script(R"(
    1 futex-wait w v
    1 atomic-load w
    2 futex-wait w v
    3 futex-wake w
    2 futex-wait w ends
  )");
  const WaitHistory history = history_of(script);
  ASSERT_EQ(history.spans().size(), 1U);
  EXPECT_EQ(history.spans()[0].task, 2U);
  EXPECT_EQ(history.spans()[0].how, WaitEnd::notified);
}

std::vector<WaitSuspicion> suspicions_of(const TraceScript& script, std::initializer_list<TaskId> stuck) {
  return suspect_waits(script.trace, history_of(script), script.accesses, script.stuck(stuck));
}

TEST(WaitSuspicion, ANotificationBeforeTheWaitThatLooksAtNothing) {
  const TraceScript script(R"(
    2 lock m
    - 2 write x
    2 notify-one c
    2 unlock m
    1 lock m
    1 wait c m
  )");
  EXPECT_EQ(suspicions_of(script, {1}), (std::vector<WaitSuspicion>{{CauseKind::unheard, 1, 4}}));
}

TEST(WaitSuspicion, ANotificationBetweenTheLookAndTheWait) {
  const TraceScript script(R"(
    1 lock m
    1 atomic-load flag
    2 atomic-store flag
    2 notify-all c
    1 wait c m
  )");
  EXPECT_EQ(suspicions_of(script, {1}), (std::vector<WaitSuspicion>{{CauseKind::unheard, 3, 4}}));
}

TEST(WaitSuspicion, NotOneAfterWhichTheWaiterLooked) {
  const TraceScript script(R"(
    2 lock m
    - 2 write x
    2 unlock m
    2 notify-one c
    1 lock m
    - 1 read x
    1 wait c m
  )");
  EXPECT_TRUE(suspicions_of(script, {1}).empty()) << "what it saw made it wait: the data is the cause";
}

TEST(WaitSuspicion, NotOneForAnother) {
  const TraceScript script(R"(
    2 lock m
    - 2 write x
    2 unlock m
    2 notify-one d
    1 lock m
    1 wait c m
  )");
  EXPECT_TRUE(suspicions_of(script, {1}).empty());
}

TEST(WaitSuspicion, WhoWasWokenWaitedAgain) {
  const TraceScript script(R"(
    1 wait c m
    2 wait c m
    3 notify-one c
    ! notify-target 0
    1 wake c m
    1 lock m
    1 wait c m
  )");
  EXPECT_EQ(suspicions_of(script, {1, 2}), (std::vector<WaitSuspicion>{{CauseKind::woke_another, 2, 5}}));
}

TEST(WaitSuspicion, WhoWaitsForEverCanBeTheOneThatWasWoken) {
  const TraceScript script(R"(
    1 wait c m
    2 wait c m
    3 notify-one c
    ! notify-target 1
    2 wake c m
    2 lock m
    2 wait c m
    3 notify-one c
    ! notify-target 0
    1 wake c m
    1 end
  )");
  EXPECT_EQ(suspicions_of(script, {2}), (std::vector<WaitSuspicion>{{CauseKind::woke_another, 2, 5}}));
}

TEST(WaitSuspicion, TasksThatHaveTakenWhatTheOtherNeeds) {
  TraceScript script(R"(
    1 atomic-cas a
    2 atomic-cas b
    1 futex-wait b v
    2 futex-wait a v
  )");
  for (const std::size_t taken : {0U, 1U}) {
    script.trace[taken].before = 1;
    script.trace[taken].flags = kTraceBeforeKnown | kTraceAfterKnown;
  }
  EXPECT_EQ(suspicions_of(script, {1, 2}), (std::vector<WaitSuspicion>{{CauseKind::circle, 2, 3}}));
}

TEST(WaitSuspicion, NotWhenTheWokenTaskTellsTheNext) {
  const TraceScript script(R"(
    1 wait c m
    2 wait c m
    3 notify-one c
    ! notify-target 0
    1 wake c m
    1 lock m
    1 notify-one d
    1 wait c m
  )");
  EXPECT_TRUE(suspicions_of(script, {2}).empty());
}

TEST(WaitSuspicion, TheOtherConditionOfTheSameLock) {
  const TraceScript script(R"(
    1 lock m
    - 1 read size
    1 wait room m
    2 lock m
    - 2 write size
    2 notify-all work
    2 wait work m
  )");
  EXPECT_EQ(suspicions_of(script, {1, 2}), (std::vector<WaitSuspicion>{{CauseKind::wrong_condition, 1, 3}}));
}

TEST(WaitSuspicion, NotAConditionWhoseNotifierChangedSomethingElse) {
  const TraceScript script(R"(
    1 lock m
    - 1 read size
    1 wait room m
    2 lock m
    - 2 write name
    2 notify-all work
    2 wait work m
  )");
  EXPECT_TRUE(suspicions_of(script, {1, 2}).empty());
}

}  // namespace
}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
// Condition variables, and the queues in which those stand who wait for one.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "operation_script.h"
#include "runtime/interpose/waiter_queue.h"

namespace ravel::test {
namespace {

TEST(Condition, AWaitGivesTheMutexBackAndTakesItAgain) {
  play(R"(
    A: lock m, wait c m, unlock m
    B: lock m, signal c, unlock m
    --
    A lock m = 0        | A
    A wait c m ...      | B
    B lock m = 0        | B
    B signal c = 0      | A B
    A ...               | B
    B unlock m = 0      | A B
    A ... wait c m = 0  | A B
    A unlock m = 0
  )");
}

TEST(Condition, ASignalWakesOne) {
  play(R"(
    A: lock m, wait c m, unlock m
    B: lock m, wait c m, unlock m
    C: signal c, signal c
    --
    A lock m = 0
    A wait c m ...
    B lock m = 0
    B wait c m ...
    C signal c = 0  | A C
    C signal c = 0  | A B C
  )");
}

TEST(Condition, WhomASignalWakesIsAChoice) {
  play(R"(
    A: lock m, wait c m, unlock m
    B: lock m, wait c m, unlock m
    C: lock m, wait c m, unlock m
    D: signal c, signal c
    --
    A lock m = 0
    A wait c m ...
    B lock m = 0
    B wait c m ...
    C lock m = 0
    C wait c m ...
    D(2nd) signal c = 0  | B D
    D(2nd) signal c = 0  | B C D
  )");
}

TEST(Condition, ABroadcastWakesAll) {
  play(R"(
    A: lock m, wait c m, unlock m
    B: lock m, wait c m, unlock m
    C: broadcast c
    --
    A lock m = 0
    A wait c m ...
    B lock m = 0
    B wait c m ...
    C broadcast c = 0   | A B C
    B ...
    B ... wait c m = 0  | A B C
    A ...               | B C
    B unlock m = 0      | A B C
    A ... wait c m = 0
  )");
}

TEST(Condition, ANotificationIsForThoseWhoWaitNow) {
  play(R"(
    A: lock m, wait c m, unlock m
    B: signal c
    --
    A lock m = 0
    B signal c = 0
    A wait c m ...
    B ends          | nobody
    lost-wakeup: A wake c
  )");
}

TEST(Condition, ALostNotificationIsForgottenWhenAnotherFindsSomebody) {
  play(R"(
    A: signal c, lock m, wait c m, wait c m
    B: signal c
    --
    A signal c = 0
    A lock m = 0
    A wait c m ...
    B signal c = 0
    B ends
    A ...
    A ... wait c m = 0
    A wait c m ...      | nobody
    deadlock: A wake c
  )");
}

TEST(Condition, ALostBroadcastIsALostNotificationToo) {
  play(R"(
    A: broadcast c, lock m, wait c m
    --
    A broadcast c = 0
    A lock m = 0
    A wait c m ...
    lost-wakeup: A wake c
  )");
}

TEST(Condition, OneThatIsInitialisedAnewHasLostNothing) {
  play(R"(
    A: signal c, init condition c, lock m, wait c m
    --
    A signal c = 0, init condition c = 0
    A lock m = 0
    A wait c m ...
    deadlock: A wake c
  )");
}

TEST(Condition, ConditionsAreIndependent) {
  play(R"(
    A: lock m, wait c m, unlock m
    B: signal d, signal c
    --
    A lock m = 0
    A wait c m ...
    B signal d = 0  | B
    B signal c = 0  | A B
  )");
}

// -- spurious wake-ups and predicates ---------------------------------------------------------------------------------

TEST(Condition, AWaitMayEndWithoutANotification) {
  play(R"(
    A: lock m, wait c m, unlock m
    B: yield
    --
    A lock m = 0
    A(spurious) wait c m ...  | A B
    A ...                     | A B
    A ... wait c m = 0
  )");
}

TEST(Condition, WhoLooksAgainIsNotDeceived) {
  play(R"(
    A: lock m, while ready 0 wait c m, unlock m
    B: lock m, set ready 1, unlock m, signal c
    --
    A lock m = 0
    A(spurious) wait c m ...
    A ...
    A ... wait c m = 0
    A wait c m ...
    B lock m = 0
    B unlock m = 0
    B signal c = 0
    A ...
    A ... wait c m = 0
    A unlock m = 0
  )");
}

TEST(Condition, WhoLooksFirstDoesNotWaitForWhatHasHappened) {
  play(R"(
    A: lock m, while ready 0 wait c m, unlock m
    B: lock m, set ready 1, unlock m, signal c
    --
    B lock m = 0
    B unlock m = 0
    B signal c = 0
    A lock m = 0
    A unlock m = 0
  )");
}

TEST(Condition, AWakeUpMayBeStolen) {
  play(R"(
    A: lock m, wait c m, unlock m
    B: signal c
    C: lock m, unlock m
    --
    A lock m = 0
    A wait c m ...
    B signal c = 0
    C lock m = 0         | A B C
    A ...                | B C
    C unlock m = 0       | A B C
    A ... wait c m = 0
  )");
}

// -- timed waits ------------------------------------------------------------------------------------------------------

TEST(Condition, ATimedWaitGivesUpAtItsDeadline) {
  play(R"(
    A: lock m, timedwait c m 5ms, unlock m
    B: sleep 9ms
    --
    A lock m = 0
    A timedwait c m 5ms ...                | nobody
    at 5ms
    A ...
    A ... timedwait c m 5ms = ETIMEDOUT    | A
    A unlock m = 0
  )");
}

TEST(Condition, ATimedWaitThatIsNotifiedHasNotTimedOut) {
  play(R"(
    A: lock m, timedwait c m 5ms, unlock m
    B: signal c
    --
    A lock m = 0
    A timedwait c m 5ms ...
    B signal c = 0                 | A B
    A ...
    A ... timedwait c m 5ms = 0
  )");
}

TEST(Condition, ATimedWaitMayGiveUpThoughOthersCouldRun) {
  play(R"(
    A: lock m, timedwait c m 5ms, unlock m
    B: signal c
    --
    A lock m = 0
    A(timeout) timedwait c m 5ms ...     | A B
    at 5ms
    A ...
    A ... timedwait c m 5ms = ETIMEDOUT
  )");
}

// The task was chosen by the signal, which reaches nobody else.
TEST(Condition, ANotificationBeforeTheTaskGoesOnCountsThoughItsTimeIsUp) {
  play(R"(
    A: lock m, timedwait c m 5ms, unlock m
    B: signal c
    --
    A lock m = 0
    A(timeout) timedwait c m 5ms ...  | A B
    at 5ms
    B signal c = 0
    A ...
    A ... timedwait c m 5ms = 0
  )");
}

TEST(Condition, WhoHasGivenUpIsNotNotified) {
  play(R"(
    A: lock m, timedwait c m 5ms, unlock m
    B: lock m, wait c m, unlock m
    C: signal c
    --
    A lock m = 0
    A(timeout) timedwait c m 5ms ...
    at 5ms
    B lock m = 0
    B wait c m ...
    A ...
    C signal c = 0                       | A B C
    A ... timedwait c m 5ms = ETIMEDOUT
    A unlock m = 0
    B ...
    B ... wait c m = 0
  )");
}

TEST(Condition, TimeIsThatOfItsClock) {
  play(R"(
    condition c monotonic
    A: lock m, timedwait c m 5ms, timedwait d m 7ms, timedwait d m 9ms monotonic, timedwait d m 9ms boottime, unlock m
    --
    A lock m = 0
    A timedwait c m 5ms ...
    at 5ms
    A ...
    A ... timedwait c m 5ms = ETIMEDOUT
    A timedwait d m 7ms ...
    at 12ms
    A ...
    A ... timedwait d m 7ms = ETIMEDOUT
    A timedwait d m 9ms monotonic ...
    at 21ms
    A ...
    A ... timedwait d m 9ms monotonic = ETIMEDOUT, timedwait d m 9ms boottime = EINVAL
    A unlock m = 0
  )");
}

TEST(Condition, AnInvalidDeadlineKeepsTheMutex) {
  play(R"(
    A: lock m, timedwait c m invalid, unlock m
    B: trylock m
    --
    A lock m = 0, timedwait c m invalid = EINVAL
    B trylock m = EBUSY
    A unlock m = 0
  )");
}

TEST(Condition, ADeadlineInThePastIsOverAtOnce) {
  play(R"(
    A: lock m, timedwait c m past, unlock m
    B: yield
    --
    A lock m = 0
    A timedwait c m past ...              | A B
    A ...
    A ... timedwait c m past = ETIMEDOUT
  )");
}

// -- the mutex --------------------------------------------------------------------------------------------------------

TEST(Condition, WaitingWithAMutexOfOthersIsRefused) {
  play(R"(
    mutex m errorcheck
    A: wait c m
    B: lock m, unlock m
    --
    B lock m = 0
    A wait c m = EPERM
  )");
}

TEST(Condition, WaitingWithAPlainMutexThatNobodyHoldsIsMisuse) {
  play(R"(
    A: wait c m, unlock m
    B: signal c
    --
    A wait c m ...
    lock-misuse by A: a task unlocks a mutex that no task holds
    B signal c = 0
    A ...
    A ... wait c m = 0
  )");
}

// glibc gives back one level only, too: others do not get in.
TEST(Condition, ARecursiveMutexIsGivenBackOnce) {
  play(R"(
    mutex m recursive
    A: lock m, lock m, wait c m, unlock m, unlock m
    B: trylock m, signal c
    --
    A lock m = 0
    A lock m = 0
    A wait c m ...
    B trylock m = EBUSY
    B signal c = 0
    A ...
    A ... wait c m = 0
    A unlock m = 0
    A unlock m = 0
  )");
}

TEST(Condition, AnAbandonedMutexIsToldToWhoTakesItBack) {
  play(R"(
    mutex m robust
    A: lock m, wait c m, consistent m, unlock m
    B: lock m, signal c
    --
    A lock m = 0
    A wait c m ...
    B lock m = 0
    B signal c = 0
    B ends
    A ...
    A ... wait c m = EOWNERDEAD, consistent m = 0
  )");
}

// -- cancellation -----------------------------------------------------------------------------------------------------

TEST(Condition, AWaitThatIsCancelledTakesTheMutexFirst) {
  play(R"(
    A: lock m, wait c m
    B: lock m, cancel A, unlock m
    --
    A lock m = 0
    A wait c m ...
    B lock m = 0
    B cancel A = 0       | A B
    A ...                | B
    B unlock m = 0       | A B
    A ... wait c m left  | A B
    leak-of-lock by A: a task ended while it still held a lock
  )");
}

TEST(Condition, ANotificationOfACancelledWaiterGoesToTheNext) {
  play(R"(
    A: lock m, wait c m
    B: lock m, wait c m, unlock m
    C: signal c, cancel A
    --
    A lock m = 0
    A wait c m ...
    B lock m = 0
    B wait c m ...
    C signal c = 0       | A C
    C cancel A = 0       | A C
    A ...
    A ... wait c m left  | A B C
    leak-of-lock by A: a task ended while it still held a lock
  )");
}

TEST(Condition, ACancelledTaskDoesNotBeginToWait) {
  play(R"(
    A: lock m, wait c m
    B: cancel A
    --
    B cancel A = 0
    A lock m = 0, wait c m left
    leak-of-lock by A: a task ended while it still held a lock
  )");
}

// -- destroy ----------------------------------------------------------------------------------------------------------

TEST(Condition, DestroyingOneForWhichSomebodyWaitsIsMisuse) {
  play(R"(
    A: lock m, wait c m, unlock m
    B: destroy condition c
    --
    A lock m = 0
    A wait c m ...
    B destroy condition c = 0
    lock-misuse by B: a task destroys a condition variable on which another task waits
  )");
}

TEST(Condition, DestroyingOneWhoseWaitersWereNotifiedIsRight) {
  play(R"(
    A: lock m, wait c m, unlock m
    B: broadcast c, destroy condition c
    --
    A lock m = 0
    A wait c m ...
    B broadcast c = 0
    B destroy condition c = 0
    A ...
    A ... wait c m = 0
  )");
}

// -- the queues -------------------------------------------------------------------------------------------------------

constexpr std::uint64_t kCondition = 0x1000;
constexpr std::uint64_t kOther = 0x2000;

class WaiterQueue : public testing::Test {
 protected:
  void SetUp() override {
    for (TaskId id = 0; id < 4; ++id) {
      tasks.push_back(std::make_unique<Task>());
      tasks.back()->id = id;
    }
  }
  void TearDown() override {
    for (auto& task : tasks) dequeue_waiter(*task);
  }
  std::vector<TaskId> waiting(std::uint64_t object) {
    std::vector<TaskId> ids;
    for (Task* task = first_waiter(object); task != nullptr; task = next_waiter(*task)) ids.push_back(task->id);
    return ids;
  }
  std::vector<std::unique_ptr<Task>> tasks;
};

TEST_F(WaiterQueue, KeepsOrderOfArrivalPerObject) {
  enqueue_waiter(kCondition, *tasks[2]);
  enqueue_waiter(kOther, *tasks[0]);
  enqueue_waiter(kCondition, *tasks[1]);
  EXPECT_EQ(waiting(kCondition), (std::vector<TaskId>{2, 1}));
  EXPECT_EQ(waiting(kOther), (std::vector<TaskId>{0}));
  EXPECT_EQ(count_waiters(kCondition), 2U);
}

TEST_F(WaiterQueue, ATaskLeavesFromTheMiddle) {
  for (int i = 0; i < 3; ++i) enqueue_waiter(kCondition, *tasks[i]);
  dequeue_waiter(*tasks[1]);
  dequeue_waiter(*tasks[1]);  // leaving twice is harmless
  EXPECT_EQ(waiting(kCondition), (std::vector<TaskId>{0, 2}));
}

TEST_F(WaiterQueue, NotifyOneTakesExactlyOneOut) {
  enqueue_waiter(kCondition, *tasks[0]);
  enqueue_waiter(kCondition, *tasks[1]);
  EXPECT_TRUE(notify_one_waiter(kCondition));
  EXPECT_TRUE(tasks[0]->primitive.notified);
  EXPECT_FALSE(tasks[1]->primitive.notified);
  EXPECT_EQ(waiting(kCondition), (std::vector<TaskId>{1}));
}

TEST_F(WaiterQueue, NotifyFindsNobodyOnAnotherObject) {
  enqueue_waiter(kOther, *tasks[0]);
  EXPECT_FALSE(notify_one_waiter(kCondition));
  EXPECT_EQ(notify_all_waiters(kCondition), 0U);
  EXPECT_FALSE(tasks[0]->primitive.notified);
}

TEST_F(WaiterQueue, NotifyAllEmptiesTheQueue) {
  for (int i = 0; i < 4; ++i) enqueue_waiter(kCondition, *tasks[i]);
  EXPECT_EQ(notify_all_waiters(kCondition), 4U);
  EXPECT_EQ(first_waiter(kCondition), nullptr);
  for (auto& task : tasks) EXPECT_TRUE(waiter_is_notified(nullptr, *task));
}

TEST_F(WaiterQueue, ANewWaitForgetsTheOldNotification) {
  enqueue_waiter(kCondition, *tasks[0]);
  notify_waiter(*tasks[0]);
  enqueue_waiter(kCondition, *tasks[0]);
  EXPECT_FALSE(tasks[0]->primitive.notified);
}

}  // namespace
}  // namespace ravel::test

// SPDX-License-Identifier: Apache-2.0
// Mutexes of every type, and what is kept about who holds which lock.
#include <gtest/gtest.h>

#include <memory>

#include "operation_script.h"
#include "runtime/interpose/held_locks.h"

namespace ravel::test {
namespace {

TEST(MutexScheduling, AWaiterIsEnabledOnlyAfterTheUnlock) {
  play(R"(
    A: lock m, unlock m
    B: lock m, unlock m
    --
    A lock m = 0    | A
    A unlock m = 0  | A B
    B lock m = 0
  )");
}

TEST(MutexScheduling, OnlyOneOfTwoWaitersGetsTheMutex) {
  play(R"(
    A: lock m, unlock m
    B: lock m, unlock m
    C: lock m, unlock m
    --
    A lock m = 0
    A unlock m = 0  | A B C
    C lock m = 0    | A C
    C unlock m = 0  | A B C
  )");
}

TEST(MutexScheduling, WhoUnlocksMayLockAgainBeforeThoseWhoWait) {
  play(R"(
    A: lock m, unlock m, lock m, unlock m
    B: lock m, unlock m
    --
    A lock m = 0
    A unlock m = 0  | A B
    A lock m = 0    | A
  )");
}

TEST(MutexScheduling, MutexesAreIndependent) {
  play(R"(
    A: lock m, unlock m
    B: lock n, unlock n
    --
    A lock m = 0  | A B
    B lock n = 0  | A B
  )");
}

// -- try and timed ----------------------------------------------------------------------------------------------------

TEST(Mutex, TryLockNeverWaits) {
  play(R"(
    A: lock m, unlock m
    B: trylock m, trylock m, unlock m
    --
    A lock m = 0         | A B
    B trylock m = EBUSY  | A B
    A unlock m = 0
    B trylock m = 0
    B unlock m = 0
  )");
}

TEST(Mutex, TimedLockGivesUpWhenNothingElseCanHappen) {
  play(R"(
    A: lock m, sleep 9ms, unlock m
    B: timedlock m 5ms
    --
    A lock m = 0                  | nobody
    at 5ms
    B timedlock m 5ms = ETIMEDOUT
    B ends                        | nobody
    at 9ms
    A sleep 9ms = 0
  )");
}

TEST(Mutex, TimedLockGetsAMutexThatIsUnlockedInTime) {
  play(R"(
    A: lock m, unlock m
    B: timedlock m 5ms, unlock m
    --
    A lock m = 0             | A
    A unlock m = 0           | A B
    B timedlock m 5ms = 0
  )");
}

TEST(Mutex, TimedLockMayGiveUpThoughTheOwnerCouldGoOn) {
  play(R"(
    A: lock m, yield, unlock m
    B: yield, timedlock m 5ms
    --
    A lock m = 0
    B(timeout) yield               | A B
    at 5ms
    B timedlock m 5ms = ETIMEDOUT  | A B
  )");
}

TEST(Mutex, ADeadlineInThePastMattersOnlyToWhoHasToWait) {
  play(R"(
    A: timedlock m past, unlock m
    B: timedlock m past
    --
    A timedlock m past = 0          | A B
    B timedlock m past = ETIMEDOUT  | A B
  )");
}

TEST(Mutex, AnInvalidDeadlineMattersOnlyToWhoHasToWait) {
  play(R"(
    A: timedlock m invalid, unlock m
    B: timedlock m invalid
    --
    A timedlock m invalid = 0
    B timedlock m invalid = EINVAL
  )");
}

TEST(Mutex, TimedLockKnowsTwoClocks) {
  play(R"(
    A: lock m, sleep 9ms, unlock m
    B: timedlock m 5ms boottime, timedlock m 5ms monotonic
    --
    B starts, timedlock m 5ms boottime = EINVAL
    A lock m = 0
    at 5ms
    B timedlock m 5ms monotonic = ETIMEDOUT
  )");
}

// -- misuse -----------------------------------------------------------------------------------------------------------

TEST(Mutex, LockingItTwiceIsWaitingForOneself) {
  const Script run = play(R"(
    A: lock m, lock m
    B: yield
    --
    A lock m = 0
    lock-misuse by A: a task locks a mutex that it already holds: it waits for itself forever
  )");
  EXPECT_EQ(run.result().summary.outcome, Outcome::stopped);
}

TEST(Mutex, LockingAnAdaptiveOneTwiceIsTheSame) {
  play(R"(
    mutex m adaptive
    A: lock m, lock m
    --
    A lock m = 0
    lock-misuse by A: a task locks a mutex that it already holds: it waits for itself forever
  )");
}

TEST(Mutex, TryingOnesOwnMutexFails) {
  play(R"(
    A: lock m, trylock m, unlock m
    --
    A lock m = 0
    A trylock m = EBUSY
    A unlock m = 0
  )");
}

TEST(Mutex, ATimedLockOfOnesOwnMutexTimesOut) {
  play(R"(
    A: lock m, timedlock m 5ms, unlock m
    --
    A lock m = 0
    at 5ms
    A timedlock m 5ms = ETIMEDOUT
    A unlock m = 0
  )");
}

TEST(Mutex, UnlockingAFreeOneIsMisuse) {
  play(R"(
    A: unlock m, lock m, unlock m
    --
    A unlock m = 0
    lock-misuse by A: a task unlocks a mutex that no task holds
    A lock m = 0
    A unlock m = 0
  )");
}

TEST(Mutex, UnlockingAnothersIsMisuseAndFreesIt) {
  play(R"(
    A: lock m, yield
    B: unlock m
    C: lock m, unlock m
    --
    A lock m = 0    | A B
    B unlock m = 0  | A B C
    lock-misuse by B: a task unlocks a mutex that another task holds
    A yield
    A ends
    C lock m = 0
  )");
}

TEST(Mutex, ATaskThatEndsWithALockLeaksIt) {
  play(R"(
    A: lock m, yield
    B: lock m
    --
    A lock m = 0
    A yield       | A
    leak-of-lock by A: a task ended while it still held a lock
    A ends        | nobody
    deadlock: B lock m held by A
  )");
}

// -- destroy and init -------------------------------------------------------------------------------------------------

TEST(Mutex, ADestroyedOneIsOfNoUse) {
  play(R"(
    A: destroy mutex m, lock m, trylock m, unlock m, destroy mutex m
    --
    A destroy mutex m = 0
    A lock m = EINVAL
    lock-misuse by A: a task locks a mutex that was destroyed
    A trylock m = EINVAL
    A unlock m = EINVAL
    A destroy mutex m = EINVAL
  )");
}

TEST(Mutex, DestroyingALockedOneIsMisuse) {
  play(R"(
    A: lock m, unlock m
    B: destroy mutex m
    --
    A lock m = 0
    B destroy mutex m = EBUSY
    lock-misuse by B: a task destroys a mutex that is locked
    A unlock m = 0
  )");
}

TEST(Mutex, MayBeInitialisedAnew) {
  play(R"(
    A: destroy mutex m, init mutex m, lock m, unlock m
    --
    A destroy mutex m = 0, init mutex m = 0
    A lock m = 0
    A unlock m = 0
  )");
}

// -- recursive --------------------------------------------------------------------------------------------------------

TEST(RecursiveMutex, IsFreeAfterAsManyUnlocksAsLocks) {
  play(R"(
    mutex m recursive
    A: lock m, lock m, unlock m, unlock m
    B: lock m, unlock m
    --
    A lock m = 0
    A lock m = 0    | A
    A unlock m = 0  | A
    A unlock m = 0  | A B
    B lock m = 0
  )");
}

TEST(RecursiveMutex, EveryKindOfLockCounts) {
  play(R"(
    mutex m recursive
    A: trylock m, trylock m, timedlock m 5ms, timedlock m invalid, unlock m, unlock m, unlock m, unlock m
    B: trylock m
    --
    A trylock m = 0
    A trylock m = 0
    A timedlock m 5ms = 0
    A timedlock m invalid ...
    A ... timedlock m invalid = 0
    A unlock m = 0
    A unlock m = 0
    A unlock m = 0
    B trylock m = EBUSY
    A unlock m = 0
  )");
}

TEST(RecursiveMutex, BelongsToItsOwner) {
  play(R"(
    mutex m recursive
    A: lock m, unlock m
    B: trylock m, unlock m, unlock m
    --
    A lock m = 0
    B trylock m = EBUSY
    B unlock m = EPERM
    A unlock m = 0
    B unlock m = EPERM
  )");
}

// -- error checking ---------------------------------------------------------------------------------------------------

TEST(ErrorCheckingMutex, TellsByItsResultWhatIsWrong) {
  play(R"(
    mutex m errorcheck
    A: lock m, lock m, trylock m, timedlock m 5ms, unlock m, unlock m
    B: unlock m
    --
    A lock m = 0
    A lock m = EDEADLK
    A trylock m = EBUSY
    A timedlock m 5ms = EDEADLK
    B unlock m = EPERM
    A unlock m = 0
    A unlock m = EPERM
  )");
}

TEST(ErrorCheckingMutex, DestroyingALockedOneIsAnErrorOnly) {
  play(R"(
    mutex m errorcheck
    A: lock m, destroy mutex m, unlock m, destroy mutex m
    --
    A lock m = 0
    A destroy mutex m = EBUSY
    A unlock m = 0
    A destroy mutex m = 0
  )");
}

// -- robust -----------------------------------------------------------------------------------------------------------

TEST(RobustMutex, WhoComesAfterADeadOwnerIsTold) {
  play(R"(
    mutex m robust
    A: lock m
    B: lock m, consistent m, unlock m, lock m, unlock m
    --
    A lock m = 0                             | A B
    A ends                                   | B
    B lock m = EOWNERDEAD, consistent m = 0
    B unlock m = 0
    B lock m = 0
  )");
}

TEST(RobustMutex, ATryIsToldToo) {
  play(R"(
    mutex m robust
    A: lock m
    B: trylock m, consistent m, unlock m
    --
    A lock m = 0
    A ends
    B trylock m = EOWNERDEAD, consistent m = 0
  )");
}

TEST(RobustMutex, IsLostWhenItIsUnlockedInconsistent) {
  play(R"(
    mutex m robust
    A: lock m
    B: lock m, unlock m, lock m, trylock m, destroy mutex m
    C: lock m
    D: trylock m, unlock m
    --
    A lock m = 0
    A ends
    B lock m = EOWNERDEAD      | B D
    D trylock m = EBUSY
    D unlock m = EPERM
    B unlock m = 0             | B C D
    C lock m = ENOTRECOVERABLE
    B lock m = ENOTRECOVERABLE
    B trylock m = ENOTRECOVERABLE
    B destroy mutex m = 0
  )");
}

TEST(RobustMutex, IsInconsistentAgainWhenTheNextOwnerDiesToo) {
  play(R"(
    mutex m robust
    A: lock m
    B: lock m
    C: lock m, consistent m, unlock m
    --
    A lock m = 0
    A ends
    B lock m = EOWNERDEAD
    B ends
    C lock m = EOWNERDEAD, consistent m = 0
  )");
}

TEST(RobustMutex, AllThatATaskHoldsAreLeft) {
  play(R"(
    mutex m robust
    mutex n robust
    A: lock m, lock n
    B: lock m, consistent m, unlock m, lock n, consistent n, unlock n
    --
    A lock m = 0
    A lock n = 0
    A ends
    B lock m = EOWNERDEAD, consistent m = 0
    B unlock m = 0
    B lock n = EOWNERDEAD, consistent n = 0
  )");
}

TEST(RobustMutex, OneThatWasGivenBackIsNotLeft) {
  play(R"(
    mutex m robust
    mutex n robust
    A: lock m, lock n, unlock m
    B: lock m, unlock m, lock n, consistent n, unlock n
    --
    A lock m = 0
    A lock n = 0
    A unlock m = 0
    A ends
    B lock m = 0
    B unlock m = 0
    B lock n = EOWNERDEAD, consistent n = 0
  )");
}

TEST(RobustMutex, ConsistentIsForInconsistentOnes) {
  play(R"(
    mutex m robust
    A: lock m, consistent m, consistent n, unlock m
    --
    A lock m = 0, consistent m = EINVAL, consistent n = EINVAL
    A unlock m = 0
  )");
}

TEST(RobustMutex, BelongsToItsOwner) {
  play(R"(
    mutex m robust
    mutex n robust errorcheck
    A: lock m, lock n, trylock n, unlock n, unlock m
    B: unlock m
    --
    A lock m = 0
    A lock n = 0
    A trylock n = EDEADLK
    B unlock m = EPERM
    A unlock n = 0
    A unlock m = 0
  )");
}

TEST(RobustMutex, MayAlsoBeRecursive) {
  play(R"(
    mutex m robust recursive
    A: lock m, lock m
    B: lock m, consistent m, lock m, unlock m, unlock m
    C: trylock m
    --
    A lock m = 0
    A lock m = 0
    A ends
    B lock m = EOWNERDEAD, consistent m = 0
    B lock m = 0
    B unlock m = 0
    C trylock m = EBUSY
    B unlock m = 0
  )");
}

// -- deadlock ---------------------------------------------------------------------------------------------------------

TEST(MutexDeadlock, IsFoundWhenTheCycleCloses) {
  play(R"(
    A: lock m, lock n
    B: lock n, lock m
    C: yield
    --
    A lock m = 0  | A B C
    B lock n = 0
    deadlock: B lock m held by A, A lock n held by B
  )");
}

TEST(MutexDeadlock, DoesNotComeWhenOneGoesAfterTheOther) {
  play(R"(
    A: lock m, lock n, unlock n, unlock m
    B: lock n, lock m, unlock m, unlock n
    --
    A lock m = 0
    A lock n = 0
    A unlock n = 0
    A unlock m = 0
    B lock n = 0
    B lock m = 0
    B unlock m = 0
    B unlock n = 0
  )");
}

TEST(MutexDeadlock, TryAndTimedLocksGetOutOfIt) {
  play(R"(
    A: lock m, trylock n, unlock m
    B: lock n, timedlock m 5ms, unlock m, unlock n
    --
    A lock m = 0
    B lock n = 0
    A trylock n = EBUSY
    A unlock m = 0
    B timedlock m 5ms = 0
    B unlock m = 0
    B unlock n = 0
  )");
}

// -- the order in which locks are taken -------------------------------------------------------------------------------

TEST(LockOrder, WhoWantsALockWhileHoldingAnotherIsToldOnce) {
  const Script run = play(R"(
    A: repeat 2 call both
    both: lock m, lock n, unlock n, unlock m
    B: lock n, lock m, unlock m, unlock n
    --
    A lock m = 0
    A lock n = 0
    A unlock n = 0
    A unlock m = 0
    A lock m = 0
    A lock n = 0
    A unlock n = 0
    A unlock m = 0
    B lock n = 0
    B lock m = 0
    B unlock m = 0
    B unlock n = 0
  )");
  const ExecutionResult& result = run.result();
  ASSERT_EQ(result.lock_edges, 2U);
  EXPECT_EQ(result.lock_edge[0].task, 1U);
  EXPECT_EQ(result.lock_edge[1].task, 2U);
  EXPECT_EQ(result.lock_edge[0].held, result.lock_edge[1].wanted);
  EXPECT_EQ(result.lock_edge[0].wanted, result.lock_edge[1].held);
  EXPECT_EQ(result.lock_edge[0].gate[0], 0U);
}

TEST(LockOrder, TryAndTimedLocksWantNothing) {
  EXPECT_EQ(play(R"(
    A: lock m, trylock n, timedlock o 5ms, unlock o, unlock n, unlock m
    B: yield
    --
    A lock m = 0
    A trylock n = 0
    A timedlock o 5ms = 0
    A unlock o = 0
    A unlock n = 0
    A unlock m = 0
  )")
                .result()
                .lock_edges,
            0U);
}

TEST(LockOrder, OtherLocksThatAreHeldGuardAnEdge) {
  const Script run = play(R"(
    A: lock g, rdlock l, lock m, unlock m, rwunlock l, unlock g
    --
    A lock g = 0
    A rdlock l = 0
    A lock m = 0
    A unlock m = 0
    A rwunlock l = 0
    A unlock g = 0
  )");
  const ExecutionResult& result = run.result();
  ASSERT_EQ(result.lock_edges, 3U);  // g then l; g then m; l then m
  EXPECT_EQ(result.lock_edge[1].gate[0], result.lock_edge[0].wanted | 1) << "held by a reader";
  EXPECT_EQ(result.lock_edge[2].gate[0], result.lock_edge[0].held);
  EXPECT_EQ(result.lock_edge[2].held_shared, 1U);
}

TEST(LockOrder, WhatHappenedBeforeAJoinIsOrderedBeforeWhatComesAfter) {
  const Script run = play(R"(
    A: create B, join B, lock m, lock n, unlock n, unlock m
    B: lock n, lock m, unlock m, unlock n
    --
    A create B
    B lock n = 0
    B lock m = 0
    B unlock m = 0
    B unlock n = 0
    B ends
    A join B = 0
    A lock m = 0
    A lock n = 0
    A unlock n = 0
    A unlock m = 0
  )");
  ASSERT_EQ(run.result().lock_edges, 2U);
  EXPECT_EQ(run.result().lock_edge[1].after[0], 1U);
}

TEST(LockOrder, ALockThatWasDestroyedIsAnotherAfterwards) {
  const Script run = play(R"(
    A: lock m, lock n, unlock n, destroy mutex n, init mutex n, lock n, unlock n, unlock m
    --
    A lock m = 0
    A lock n = 0
    A unlock n = 0
    A destroy mutex n = 0, init mutex n = 0
    A lock n = 0
    A unlock n = 0
    A unlock m = 0
  )");
  ASSERT_EQ(run.result().lock_edges, 2U);
  EXPECT_EQ(run.result().lock_edge[0].wanted, run.result().lock_edge[1].wanted);
  EXPECT_NE(run.result().lock_edge[0].wanted_serial, run.result().lock_edge[1].wanted_serial);
}

TEST(HeldLocks, AreToldWithAFinding) {
  const Script run = play(R"(
    A: lock m, rdlock l, fail here, rwunlock l, unlock m
    --
    A lock m = 0
    A rdlock l = 0, fail here
    user by A: here
    A rwunlock l = 0
    A unlock m = 0
  )");
  const ParticipantRecord& part = run.result().finding[0].participant[0];
  EXPECT_NE(part.held[0], 0U);
  EXPECT_NE(part.held[1], 0U);
  EXPECT_EQ(part.held[2], 0U);
  EXPECT_NE(part.held_pc[0][0], part.held_pc[1][0]);
}

TEST(HeldLocks, AProgramMaySayThatItHoldsNone) {
  play(R"(
    A: no-locks, lock m, no-locks, unlock m, no-locks
    --
    A starts, no-locks
    A lock m = 0, no-locks
    lock-misuse by A: a task holds a lock where the program says it holds none
    A unlock m = 0, no-locks
  )");
}

TEST(HeldLocks, RemembersLocksAndWhereTheyWereTaken) {
  auto task = std::make_unique<Task>();
  task->shadow.push(0x11);
  task->shadow.push(0x22);
  add_held_lock(*task, 0x1000, 0x33);
  EXPECT_TRUE(holds_lock(*task, 0x1000));
  EXPECT_EQ(task->held.pc[0][0], 0x33U);
  EXPECT_EQ(task->held.pc[0][1], 0x22U);
  EXPECT_EQ(task->held.pc[0][2], 0x11U);
  EXPECT_EQ(task->held.pc[0][3], 0U);
  remove_held_lock(*task, 0x1000);
  EXPECT_FALSE(holds_lock(*task, 0x1000));
  EXPECT_EQ(task->held.count, 0U);
}

TEST(HeldLocks, RemovesTheNewestOfEqualOnesAndKeepsTheOrder) {
  auto task = std::make_unique<Task>();
  task->shadow.push(1);
  for (std::uint64_t lock : {0x10U, 0x20U, 0x10U, 0x30U}) add_held_lock(*task, lock, 5);
  remove_held_lock(*task, 0x10);
  ASSERT_EQ(task->held.count, 3U);
  EXPECT_EQ(task->held.address[0], 0x10U);
  EXPECT_EQ(task->held.address[1], 0x20U);
  EXPECT_EQ(task->held.address[2], 0x30U);
}

TEST(HeldLocks, BeyondTheCapacityLocksAreCounted) {
  auto task = std::make_unique<Task>();
  task->shadow.push(1);
  for (std::uint64_t i = 1; i <= HeldLocks::kCapacity + 2; ++i) add_held_lock(*task, i * 8, 5);
  EXPECT_EQ(task->held.count, HeldLocks::kCapacity + 2);
  for (std::uint64_t i = HeldLocks::kCapacity + 2; i >= 1; --i) remove_held_lock(*task, i * 8);
  EXPECT_EQ(task->held.count, 0U);
}

TEST(HeldLocks, AForeignLockIsNotRemoved) {
  auto task = std::make_unique<Task>();
  task->shadow.push(1);
  add_held_lock(*task, 0x10, 5);
  remove_held_lock(*task, 0x20);
  EXPECT_EQ(task->held.count, 1U);
}

}  // namespace
}  // namespace ravel::test

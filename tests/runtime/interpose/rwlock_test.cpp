// SPDX-License-Identifier: Apache-2.0
// Reader-writer locks, spin locks, and the locks of files.
#include <gtest/gtest.h>

#include "operation_script.h"

namespace ravel::test {
namespace {

TEST(RwLock, ReadersShareIt) {
  play(R"(
    A: rdlock l, rwunlock l
    B: rdlock l, rwunlock l
    C: wrlock l, rwunlock l
    --
    A rdlock l = 0    | A B
    B rdlock l = 0    | A B
    A rwunlock l = 0  | A B
    B rwunlock l = 0  | A B C
    C wrlock l = 0
  )");
}

TEST(RwLock, AWriterHasItAlone) {
  play(R"(
    A: wrlock l, rwunlock l
    B: rdlock l, rwunlock l
    C: wrlock l, rwunlock l
    --
    A wrlock l = 0    | A
    A rwunlock l = 0  | A B C
    C wrlock l = 0    | A C
  )");
}

TEST(RwLock, AReaderMayReadTwice) {
  play(R"(
    A: rdlock l, rdlock l, rwunlock l, rwunlock l
    B: wrlock l, rwunlock l
    --
    A rdlock l = 0
    A rdlock l = 0
    A rwunlock l = 0  | A
    A rwunlock l = 0  | A B
  )");
}

TEST(RwLock, TriesDoNotWait) {
  play(R"(
    A: rdlock l, rwunlock l, wrlock l, rwunlock l
    B: trywrlock l, tryrdlock l, rwunlock l, tryrdlock l, trywrlock l, trywrlock l, rwunlock l
    --
    A rdlock l = 0
    B trywrlock l = EBUSY
    B tryrdlock l = 0
    B rwunlock l = 0
    A rwunlock l = 0
    A wrlock l = 0
    B tryrdlock l = EBUSY
    B trywrlock l = EBUSY
    A rwunlock l = 0
    B trywrlock l = 0
    B rwunlock l = 0
  )");
}

TEST(RwLock, AWriterThatWaitsDoesNotKeepReadersOut) {
  play(R"(
    A: rdlock l, rwunlock l
    B: wrlock l, rwunlock l
    C: rdlock l, rwunlock l
    --
    A rdlock l = 0  | A C
    C rdlock l = 0  | A C
  )");
}

TEST(RwLock, UnlessWritersArePreferred) {
  play(R"(
    rwlock l writers
    A: rdlock l, rwunlock l
    B: wrlock l, rwunlock l
    C: rdlock l, rwunlock l
    --
    A rdlock l = 0    | A B C
    B wrlock l ...    | A
    A rwunlock l = 0  | A B
    B ... wrlock l = 0
    B rwunlock l = 0  | A B C
    C rdlock l = 0
  )");
}

TEST(RwLock, AWriterThatGivesUpLetsReadersIn) {
  play(R"(
    rwlock l writers
    A: rdlock l, sleep 9ms, rwunlock l
    B: timedwrlock l 5ms
    C: rdlock l, rwunlock l
    --
    A rdlock l = 0                         | B C
    B timedwrlock l 5ms ...                | nobody
    at 5ms
    B ... timedwrlock l 5ms = ETIMEDOUT    | B C
    C rdlock l = 0
  )");
}

TEST(RwLock, TimedLocksGiveUpAtTheirDeadline) {
  play(R"(
    A: wrlock l, sleep 9ms, rwunlock l
    B: timedrdlock l 5ms
    C: timedwrlock l 7ms monotonic
    --
    A wrlock l = 0                               | nobody
    at 5ms
    B timedrdlock l 5ms = ETIMEDOUT
    B ends
    at 7ms
    C timedwrlock l 7ms monotonic = ETIMEDOUT
  )");
}

TEST(RwLock, TimedLocksGetWhatIsFreeInTime) {
  play(R"(
    A: wrlock l, rwunlock l
    B: timedrdlock l 5ms, rwunlock l
    C: timedwrlock l 5ms, rwunlock l
    --
    A wrlock l = 0             | A
    A rwunlock l = 0           | A B C
    B timedrdlock l 5ms = 0    | A B
    B rwunlock l = 0
    C timedwrlock l 5ms = 0
  )");
}

TEST(RwLock, InvalidDeadlinesAreRefused) {
  play(R"(
    A: timedrdlock l invalid, timedwrlock l invalid, timedrdlock l 5ms boottime, rdlock l, rwunlock l
    --
    A starts, timedrdlock l invalid = EINVAL, timedwrlock l invalid = EINVAL, timedrdlock l 5ms boottime = EINVAL
    A rdlock l = 0
  )");
}

TEST(RwLock, AWriterThatLocksAgainIsTold) {
  play(R"(
    A: wrlock l, rdlock l, wrlock l, timedrdlock l 5ms, timedwrlock l 5ms, tryrdlock l, rwunlock l
    --
    A wrlock l = 0
    A rdlock l = EDEADLK
    A wrlock l = EDEADLK
    A timedrdlock l 5ms = EDEADLK
    A timedwrlock l 5ms = EDEADLK
    A tryrdlock l = EBUSY
    A rwunlock l = 0
  )");
}

TEST(RwLock, AReaderThatWantsToWriteWaitsForItself) {
  play(R"(
    A: rdlock l, wrlock l
    B: rdlock l, wrlock l
    --
    A rdlock l = 0
    B rdlock l = 0
    deadlock: A write-lock l, B write-lock l
  )");
}

TEST(RwLock, IsPartOfCycles) {
  play(R"(
    A: wrlock l, lock m
    B: lock m, rdlock l
    C: yield
    --
    A wrlock l = 0
    B lock m = 0
    deadlock: B read-lock l held by A, A lock m held by B
  )");
}

TEST(RwLock, UnlockingAFreeOneIsMisuse) {
  play(R"(
    A: rwunlock l, wrlock l, rwunlock l
    --
    A rwunlock l = 0
    lock-misuse by A: a task unlocks a read-write lock that no task holds
    A wrlock l = 0
    A rwunlock l = 0
  )");
}

TEST(RwLock, UnlockingAnothersIsMisuseAndFreesIt) {
  play(R"(
    A: wrlock l, yield
    B: rwunlock l
    C: wrlock l, rwunlock l
    --
    A wrlock l = 0    | A B
    B rwunlock l = 0  | A B C
    lock-misuse by B: a task unlocks a read-write lock that only other tasks hold
    A yield           | A B C
    C wrlock l = 0
  )");
}

TEST(RwLock, DestroyingALockedOneIsMisuse) {
  play(R"(
    A: rdlock l, rwunlock l
    B: destroy rwlock l, destroy rwlock l
    --
    A rdlock l = 0
    B destroy rwlock l = 0
    lock-misuse by B: a task destroys a read-write lock that is locked
    A rwunlock l = 0
    B destroy rwlock l = 0
  )");
}

TEST(RwLock, ATaskThatEndsAsAReaderLeaksIt) {
  play(R"(
    A: rdlock l, yield
    --
    A rdlock l = 0
    A yield
    leak-of-lock by A: a task ended while it still held a lock
  )");
}

// -- spin locks -------------------------------------------------------------------------------------------------------

// Without a single round: a task that waits for a spin lock is not enabled.
TEST(SpinLock, AWaiterDoesNotSpin) {
  play(R"(
    A: spinlock s, spinunlock s
    B: spinlock s, spinunlock s
    --
    A spinlock s = 0    | A
    A spinunlock s = 0  | A B
    B spinlock s = 0
  )");
}

TEST(SpinLock, TryLockNeverWaits) {
  play(R"(
    A: spinlock s, spintrylock s, spinunlock s
    B: spintrylock s, spintrylock s, spinunlock s
    --
    A spinlock s = 0
    B spintrylock s = EBUSY
    A spintrylock s = EBUSY
    A spinunlock s = 0
    B spintrylock s = 0
    B spinunlock s = 0
  )");
}

TEST(SpinLock, LockingItTwiceIsWaitingForOneself) {
  play(R"(
    A: spinlock s, spinlock s
    --
    A spinlock s = 0
    lock-misuse by A: a task locks a spin lock that it already holds: it waits for itself forever
  )");
}

TEST(SpinLock, UnlockingWhatOneDoesNotHoldIsMisuse) {
  play(R"(
    A: spinunlock s, spinlock s, yield
    B: spinunlock s, spinlock s, spinunlock s
    --
    A spinunlock s = 0
    lock-misuse by A: a task unlocks a spin lock that no task holds
    A spinlock s = 0
    B spinunlock s = 0
    lock-misuse by B: a task unlocks a spin lock that another task holds
    B spinlock s = 0
    B spinunlock s = 0
    A yield
  )");
}

TEST(SpinLock, DestroyingALockedOneIsMisuse) {
  play(R"(
    A: spinlock s, destroy spin s, spinunlock s, destroy spin s
    --
    A spinlock s = 0
    A destroy spin s = 0
    lock-misuse by A: a task destroys a spin lock that is locked
    A spinunlock s = 0
    A destroy spin s = 0
  )");
}

TEST(SpinLock, IsPartOfCycles) {
  play(R"(
    A: spinlock s, lock m
    B: lock m, spinlock s
    --
    A spinlock s = 0
    B lock m = 0
    deadlock: B spin-lock s held by A, A lock m held by B
  )");
}

// -- files ------------------------------------------------------------------------------------------------------------

TEST(FileLock, OthersWaitUntilItWasUnlockedAsOftenAsLocked) {
  play(R"(
    A: flockfile f, flockfile f, funlockfile f, funlockfile f
    B: flockfile f, funlockfile f
    --
    A flockfile f    | A
    A flockfile f    | A
    A funlockfile f  | A
    A funlockfile f  | A B
    B flockfile f
  )");
}

TEST(FileLock, TryLockNeverWaits) {
  play(R"(
    A: flockfile f, ftrylockfile f, funlockfile f, funlockfile f
    B: ftrylockfile f, ftrylockfile f, funlockfile f
    --
    A flockfile f
    A ftrylockfile f = 0
    B ftrylockfile f = busy
    A funlockfile f
    A funlockfile f
    B ftrylockfile f = 0
    B funlockfile f
  )");
}

TEST(FileLock, UnlockingAnothersDoesNothing) {
  play(R"(
    A: flockfile f, funlockfile f
    B: funlockfile f, ftrylockfile f
    --
    A flockfile f
    B funlockfile f
    B ftrylockfile f = busy
    A funlockfile f
  )");
}

TEST(FileLock, IsPartOfCycles) {
  play(R"(
    A: flockfile f, lock m
    B: lock m, flockfile f
    --
    A flockfile f
    B lock m = 0
    deadlock: B lock f held by A, A lock m held by B
  )");
}

}  // namespace
}  // namespace ravel::test

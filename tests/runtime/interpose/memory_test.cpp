// SPDX-License-Identifier: Apache-2.0
// Memory that tasks share: atomics, data races, and what each primitive orders. A race stands beside its repaired twin.
#include <gtest/gtest.h>

#include "operation_script.h"

namespace ravel::test {
namespace {

// -- atomics ----------------------------------------------------------------------------------------------------------

TEST(Atomic, EachOperationIsAStep) {
  play(R"(
    A: store x 1, add x 2, load x
    B: cas x 3 4, cas x 3 5, load x
    --
    A store x 1
    A add x 2 = 1
    B cas x 3 4 = done
    B cas x 3 5 = 4
    A load x = 4
    B load x = 4
  )");
}

TEST(Atomic, AWeakCompareExchangeMayFail) {
  play(R"(
    A: weak-cas x 0 1, weak-cas x 0 1
    B: load x
    --
    A(weak) weak-cas x 0 1 = 0
    B load x = 0
    A weak-cas x 0 1 = done
  )");
}

TEST(Atomic, AStrongOneDoesNot) {
  play(R"(
    A: cas x 0 1
    B: load x
    --
    A(weak) cas x 0 1 = done
  )");
}

TEST(Atomic, ALoopOfLoadsWaitsForAStore) {
  play(R"(
    plan spin=1
    A: spin x
    B: store y 1, store x 1
    --
    A spin x ...
    A ...             | B
    B store y 1       | B
    B store x 1       | A B
    A ... spin x = 1
  )");
}

TEST(Atomic, StoringWhatIsThereChangesNothing) {
  play(R"(
    plan spin=1
    A: spin x
    B: store x 0, store x 1
    --
    A spin x ...
    A ...             | B
    B store x 0       | B
    B store x 1       | A B
  )");
}

// -- weak memory ------------------------------------------------------------------------------------------------------

TEST(WeakMemory, ALoadMayReturnAnOlderStore) {
  play(R"(
    launch weak-memory
    A: store x 1 relaxed, store x 2 relaxed
    B: load x relaxed, load x relaxed
    --
    A store x 1 relaxed
    A store x 2 relaxed
    B(store 1) load x relaxed = 1
    B load x relaxed = 2
  )");
}

TEST(WeakMemory, WhatWasSeenIsNotUnseen) {
  play(R"(
    launch weak-memory
    A: store x 1 relaxed, store x 2 relaxed
    B: load x relaxed, load x relaxed
    --
    A store x 1 relaxed
    A store x 2 relaxed
    B load x relaxed = 2
    B(store 1) load x relaxed = 2
  )");
}

TEST(WeakMemory, AnAcquireSeesWhatWasBeforeTheRelease) {
  play(R"(
    launch weak-memory
    A: store x 1 relaxed, store flag 1 release
    B: load flag acquire, load x relaxed
    --
    A store x 1 relaxed
    A store flag 1 release
    B load flag acquire = 1
    B(store 1) load x relaxed = 1
  )");
  play(R"(
    launch weak-memory
    A: store x 1 relaxed, store flag 1 relaxed
    B: load flag acquire, load x relaxed
    --
    A store x 1 relaxed
    A store flag 1 relaxed
    B load flag acquire = 1
    B(store 1) load x relaxed = 0
  )");
}

TEST(WeakMemory, FencesOrderRelaxedOnes) {
  play(R"(
    launch weak-memory
    A: store x 1 relaxed, fence release, store flag 1 relaxed
    B: load flag relaxed, fence acquire, load x relaxed
    --
    A store x 1 relaxed
    A fence release
    A store flag 1 relaxed
    B load flag relaxed = 1
    B fence acquire
    B(store 1) load x relaxed = 1
  )");
}

TEST(WeakMemory, NoTwoReadModifyWritesSeeTheSameStore) {
  play(R"(
    launch weak-memory
    A: add x 1 relaxed
    B: add x 1 relaxed
    C: load x relaxed
    --
    A add x 1 relaxed = 0
    B(store 1) add x 1 relaxed = 1
    C(store 2) load x relaxed = 0
  )");
}

TEST(WeakMemory, AStoreMayBePlacedBeforeOneThatWasMadeEarlier) {
  play(R"(
    launch weak-memory
    A: store x 1 relaxed
    B: store x 2 relaxed
    C: load x relaxed
    --
    A store x 1 relaxed
    B(store 1) store x 2 relaxed
    C load x relaxed = 1
  )");
}

TEST(WeakMemory, MutexesOrderToo) {
  play(R"(
    launch weak-memory
    A: lock m, store x 1 relaxed, unlock m
    B: lock m, load x relaxed, unlock m
    --
    A lock m = 0
    A store x 1 relaxed
    A unlock m = 0
    B lock m = 0
    B(store 1) load x relaxed = 1
  )");
}

// -- what is ordered, and what races ----------------------------------------------------------------------------------

TEST(Race, IsThatNothingOrdersTwoAccesses) {
  play(R"(
    launch races points=all
    A: write x 1
    B: read x
    --
    A write x 1
    B read x = 1
    data-race: B read x, A write x
  )");
}

TEST(Race, NeedsAWrite) {
  play(R"(
    launch races points=all
    A: read x
    B: read x
    --
    A read x = 0
    B read x = 0
  )");
}

TEST(Race, NeedsTheSameMemory) {
  play(R"(
    launch races points=all
    A: write x 1
    B: write y 1
    --
    A write x 1
    B write y 1
  )");
}

TEST(Race, IsToldOnceForTwoPlaces) {
  play(R"(
    launch races points=all
    A: write x 1
    B: repeat 3 read x
    --
    A write x 1
    B read x = 1
    data-race: B read x, A write x
    B read x = 1
    B read x = 1
  )");
}

// With --points shared.
TEST(Race, MakesItsPlacesSchedulingPoints) {
  play(R"(
    launch races points=shared
    A: repeat 2 call writing
    B: repeat 2 call reading
    writing: yield, write x 1
    reading: yield, read x
    --
    A yield, write x 1
    B yield, read x = 1
    data-race: B read x, A write x
    A yield
    A write x 1
    data-race: A write x, B read x
    B yield
    B read x = 1
  )");
}

TEST(Race, AnAtomicAndAPlainAccessMayRace) {
  play(R"(
    launch races points=all
    A: store x 1 relaxed
    B: read x
    --
    A store x 1 relaxed
    B read x = 1
    data-race: B read x, A atomic-store x
  )");
}

TEST(Race, FreeingIsAWrite) {
  play(R"(
    launch races heap instrumented points=all
    A: malloc b 16, yield, write b+8 1
    B: yield, free b
    --
    A starts, malloc b 16
    A yield
    A write b+8 1
    B yield, free b
    data-race: B free b+8, A write b+8
  )");
}

// The places of both become points, or a use after free behind the second one would never be reached.
TEST(Race, EveryAccessThatAFreeRacesWithIsAPointFromThenOn) {
  const Script run = play(R"(
    launch races heap instrumented
    A: malloc b 32, yield, write b+8 1, write b+24 1
    B: yield, free b
    --
    A starts, malloc b 32
    A yield, write b+8 1, write b+24 1
    B yield, free b
    data-race: B free b+8, A write b+8
  )");
  EXPECT_EQ(run.result().sites, 3U);
}

TEST(Race, AMutexOrders) {
  play(R"(
    launch races points=all
    A: lock m, write x 1, unlock m
    B: lock m, read x, unlock m
    --
    A lock m = 0
    A write x 1
    A unlock m = 0
    B lock m = 0
    B read x = 1
    B unlock m = 0
  )");
}

TEST(Race, TwoMutexesDoNot) {
  play(R"(
    launch races points=all
    A: lock m, write x 1, unlock m
    B: lock n, read x, unlock n
    --
    A lock m = 0
    A write x 1
    A unlock m = 0
    B lock n = 0
    B read x = 1
    data-race: B read x, A write x
    B unlock n = 0
  )");
}

TEST(Race, AnUnlockThatFailsOrdersNothing) {
  play(R"(
    launch races points=all
    mutex m errorcheck
    A: lock m, unlock m, write x 1, unlock m
    B: lock m, read x, unlock m
    --
    A lock m = 0
    A unlock m = 0
    A write x 1
    A unlock m = EPERM
    B lock m = 0
    B read x = 1
    data-race: B read x, A write x
  )");
}

TEST(Race, AMutexThatIsInitialisedAnewIsAnother) {
  play(R"(
    launch races points=all
    A: write x 1, lock m, unlock m, destroy mutex m, init mutex m
    B: lock m, read x, unlock m
    --
    A write x 1
    A lock m = 0
    A unlock m = 0
    A destroy mutex m = 0, init mutex m = 0
    B lock m = 0
    B read x = 1
    data-race: B read x, A write x
  )");
}

TEST(Race, ATryThatFailsOrdersNothing) {
  play(R"(
    launch races points=all
    A: write x 1, lock m, yield, unlock m
    B: trylock m, read x
    --
    A write x 1
    A lock m = 0
    B trylock m = EBUSY
    B read x = 1
    data-race: B read x, A write x
  )");
}

TEST(Race, AConditionOrdersByItsMutexOnly) {
  play(R"(
    launch races points=all
    A: lock m, wait c m, read x, read y, unlock m
    B: lock m, write x 1, unlock m, write y 1, signal c
    --
    A lock m = 0
    A wait c m ...
    B lock m = 0
    B write x 1
    B unlock m = 0
    B write y 1
    B signal c = 0
    A ...
    A ... wait c m = 0
    A read x = 1
    A read y = 1
    data-race: A read y, B write y
  )");
}

TEST(Race, WritersOrderReadersAndReadersWriters) {
  play(R"(
    launch races points=all
    A: wrlock l, write x 1, rwunlock l, wrlock l, write x 2, rwunlock l
    B: rdlock l, read x, rwunlock l
    --
    A wrlock l = 0
    A write x 1
    A rwunlock l = 0
    B rdlock l = 0
    B read x = 1
    B rwunlock l = 0
    A wrlock l = 0
    A write x 2
    A rwunlock l = 0
  )");
}

TEST(Race, ReadersDoNotOrderEachOther) {
  play(R"(
    launch races points=all
    A: rdlock l, write x 1, rwunlock l
    B: rdlock l, read x, rwunlock l
    --
    A rdlock l = 0
    A write x 1
    A rwunlock l = 0
    B rdlock l = 0
    B read x = 1
    data-race: B read x, A write x
    B rwunlock l = 0
  )");
}

TEST(Race, ASpinLockOrders) {
  play(R"(
    launch races points=all
    A: spinlock s, write x 1, spinunlock s
    B: spinlock s, read x, spinunlock s
    --
    A spinlock s = 0
    A write x 1
    A spinunlock s = 0
    B spinlock s = 0
    B read x = 1
    B spinunlock s = 0
  )");
}

TEST(Race, ASemaphoreOrdersAPostBeforeAWait) {
  play(R"(
    launch races points=all
    A: write x 1, post s, write y 1
    B: semwait s, read x, read y
    --
    A write x 1
    A post s = 0
    A write y 1
    B semwait s = 0
    B read x = 1
    B read y = 1
    data-race: B read y, A write y
  )");
}

TEST(Race, LocksAndSemaphoresThatAreInitialisedAnewAreOthers) {
  play(R"(
    launch races points=all
    A: write x 1, wrlock l, rwunlock l, init rwlock l, write y 1, spinlock s, spinunlock s, init spin s
    B: rdlock l, read x, rwunlock l, spinlock s, read y, spinunlock s
    --
    A write x 1
    A wrlock l = 0
    A rwunlock l = 0, init rwlock l = 0
    A write y 1
    A spinlock s = 0
    A spinunlock s = 0, init spin s = 0
    B rdlock l = 0
    B read x = 1
    data-race: B read x, A write x
    B rwunlock l = 0
    B spinlock s = 0
    B read y = 1
    data-race: B read y, A write y
    B spinunlock s = 0
  )");
  play(R"(
    launch races points=all
    A: write x 1, post s, yield, init semaphore s
    B: semwait s, read x
    --
    A write x 1
    A post s = 0
    A yield, init semaphore s = 0
    B semwait s = 0
    B read x = 1
    data-race: B read x, A write x
  )");
}

TEST(Race, ABarrierOrdersWhatWasBeforeAndWhatComesAfter) {
  play(R"(
    launch races points=all
    barrier b 2
    A: write x 1, barrier b, read z, write y 1
    B: write z 1, barrier b, read x, read y
    --
    A write x 1
    A barrier b ...
    B write z 1
    B barrier b = serial
    B read x = 1
    A ... barrier b = 0
    A read z = 1
    A write y 1
    B read y = 1
    data-race: B read y, A write y
  )");
}

TEST(Race, OnceOrdersItsRoutineBeforeWhoComesLater) {
  play(R"(
    launch races points=all
    A: once o init, write y 1
    init: write x 1
    B: once o init, read x, read y
    --
    A once o init ...
    A write x 1
    A ... once o init = 0
    A write y 1
    B once o init = 0
    B read x = 1
    B read y = 1
    data-race: B read y, A write y
  )");
}

TEST(Race, AFutexWakeOrdersWhoIsWoken) {
  play(R"(
    launch races points=all
    A: futex-wait w 0, read x
    B: futex-wait w 1, read x
    C: write x 1, futex-wake w 1
    --
    A futex-wait w 0 ...
    C write x 1
    C futex-wake w 1 = 1
    A ... futex-wait w 0 = 0
    A read x = 1
    B futex-wait w 1 = EAGAIN
    B read x = 1
    data-race: B read x, C write x
  )");
}

TEST(Race, CreationAndJoinOrder) {
  play(R"(
    launch races points=all
    A: write x 1, create B, write y 1, join B, read z
    B: read x, write z 1, read y
    --
    A write x 1
    A create B
    A write y 1
    B read x = 1
    B write z 1
    B read y = 1
    data-race: B read y, A write y
    B ends
    A join B = 0
    A read z = 1
  )");
}

TEST(Race, ASignalOrdersItsSenderBeforeTheHandler) {
  play(R"(
    launch races points=all
    A: handle USR1 handler, yield
    handler: read x
    B: write x 1, kill A USR1
    --
    A starts, handle USR1 handler = 0
    B write x 1
    B kill A USR1 = 0
    A yield ...
    A read x = 1, ... yield
  )");
}

TEST(Race, APipeOrdersTheWriterBeforeTheReader) {
  play(R"(
    launch races points=all
    A: write x 1, pipe-write p go
    B: pipe-read p, read x
    --
    A write x 1
    A pipe-write p go = 2
    B pipe-read p = go
    B read x = 1
  )");
}

TEST(Race, AFileLockOrders) {
  play(R"(
    launch races points=all
    A: flockfile f, write x 1, funlockfile f
    B: flockfile f, read x, funlockfile f
    --
    A flockfile f
    A write x 1
    A funlockfile f
    B flockfile f
    B read x = 1
    B funlockfile f
  )");
}

TEST(Race, AnAnnotationOrdersWhereTheProgramSaysSo) {
  play(R"(
    launch races points=all
    A: write x 1, release o
    B: acquire o, read x
    --
    A write x 1
    A release o
    B acquire o
    B read x = 1
  )");
}

TEST(Race, ALockThatTheProgramAnnouncesOrders) {
  play(R"(
    launch races points=all
    A: lock-taken o, write x 1, lock-given-up o
    B: yield, lock-taken o, read x, lock-given-up o
    --
    A starts, lock-taken o
    A write x 1, lock-given-up o
    B yield, lock-taken o
    B read x = 1, lock-given-up o
  )");
}

TEST(Race, ASleepOrdersNothing) {
  play(R"(
    launch races points=all
    A: write x 1
    B: sleep 5ms, read x
    --
    A write x 1
    A ends
    at 5ms
    B sleep 5ms = 0
    B read x = 1
    data-race: B read x, A write x
  )");
}

// They are there to force an order, not to hide a race.
TEST(Race, AnEventOfARaceTestOrdersNothing) {
  play(R"(
    launch races points=all
    A: write x 1, notify-event e
    B: wait-event e, read x
    --
    A write x 1        | A
    A notify-event e   | A B
    B wait-event e
    B read x = 1
    data-race: B read x, A write x
  )");
}

}  // namespace
}  // namespace ravel::test

// SPDX-License-Identifier: Apache-2.0
// Tasks as a program handles them: create, join, detach, cancel; and what happens at their end.
#include <gtest/gtest.h>

#include "operation_script.h"

namespace ravel::test {
namespace {

TEST(Join, WaitsForTheEndAndGetsTheResult) {
  play(R"(
    A: create B, join B
    B: yield, exit 7
    --
    A create B       | B
    B starts         | B
    B yield, exit 7  | B
    B ends           | A
    A join B = 0 7
  )");
}

TEST(Join, OfATaskThatHasEndedIsNoWait) {
  play(R"(
    A: yield, join B
    B: yield
    --
    B yield
    B ends
    A yield       | A
    A join B = 0
  )");
}

TEST(Join, IsPossibleOnce) {
  play(R"(
    A: join B, join B, detach B, tryjoin B, yield
    B: yield
    --
    B yield
    B ends
    A join B = 0, join B = ESRCH, detach B = ESRCH, tryjoin B = ESRCH
  )");
}

TEST(Join, ATaskCannotJoinItself) {
  play(R"(
    A: join A, yield
    --
    A starts, join A = EDEADLK
  )");
}

TEST(Join, TwoCannotJoinEachOther) {
  play(R"(
    A: join B
    B: yield, join A
    --
    B yield, join A = EDEADLK
    B ends
    A join B = 0
  )");
}

TEST(Join, ACycleOfThreeIsADeadlock) {
  play(R"(
    A: yield, join B
    B: yield, join C
    C: yield, join A
    D: yield
    --
    A yield
    B yield
    C yield
    deadlock: C join A held by A, A join B held by B, B join C held by C
  )");
}

TEST(Join, WhoHoldsALockThatTheOtherWantsIsADeadlock) {
  play(R"(
    A: lock m, join B
    B: yield, lock m
    C: yield
    --
    A lock m = 0
    B yield
    deadlock: B lock m held by A, A join B held by B
  )");
}

TEST(Join, IsForOne) {
  play(R"(
    A: join C
    B: yield, join C
    C: yield
    --
    B yield, join C = EINVAL
    C yield
    C ends
    A join C = 0
  )");
}

TEST(Join, ATryDoesNotWait) {
  play(R"(
    A: tryjoin B, tryjoin B
    B: yield, exit 3
    --
    A tryjoin B = EBUSY
    B yield, exit 3
    B ends
    A tryjoin B = 0 3
  )");
}

TEST(Join, ATimedOneGivesUp) {
  play(R"(
    A: timedjoin B 5ms, timedjoin B 9ms monotonic
    B: sleep 7ms
    --
    at 5ms
    A timedjoin B 5ms = ETIMEDOUT
    at 7ms
    B sleep 7ms = 0
    B ends
    A timedjoin B 9ms monotonic = 0
  )");
}

TEST(Join, AnInvalidDeadlineMattersOnlyToWhoHasToWait) {
  play(R"(
    A: timedjoin B invalid, timedjoin B 5ms boottime, yield, timedjoin B invalid
    B: yield
    --
    A starts, timedjoin B invalid = EINVAL, timedjoin B 5ms boottime = EINVAL
    B yield
    B ends
    A yield
    A timedjoin B invalid = 0
  )");
}

// -- detach -----------------------------------------------------------------------------------------------------------

TEST(Detach, ADetachedTaskCannotBeJoined) {
  play(R"(
    A: detach B, join B, detach B
    B: yield
    --
    A detach B = 0, join B = EINVAL
    A detach B = EINVAL
  )");
}

TEST(Detach, ATaskMayBeCreatedDetached) {
  play(R"(
    A: create B detached, join B, yield, join B
    B: yield
    --
    A create B detached, join B = EINVAL
    B yield
    B ends
    A yield, join B = ESRCH
  )");
}

// -- names ------------------------------------------------------------------------------------------------------------

TEST(Name, IsInheritedUntilATaskGetsItsOwn) {
  const Script run = play(R"(
    A: name A parent, create B, getname B, name B child, getname B, name B much-longer-than-15, yield
    B: yield
    --
    A starts, name A parent = 0
    A create B, getname B = parent, name B child = 0, getname B = child, name B much-longer-than-15 = ERANGE
  )");
  EXPECT_STREQ(run.result().task[2].name, "child");
}

// -- cancellation -----------------------------------------------------------------------------------------------------

TEST(Cancel, EndsATaskAtItsNextCancellationPoint) {
  play(R"(
    A: yield, lock m, unlock m, sleep 5ms, yield
    B: cancel A, join A
    --
    B cancel A = 0
    A yield
    A lock m = 0
    A unlock m = 0, sleep 5ms left
    A ends
    B join A = 0 cancelled
  )");
}

TEST(Cancel, WakesATaskThatWaits) {
  play(R"(
    A: sleep 5ms
    B: cancel A
    --
    B cancel A = 0   | A B
    A sleep 5ms left
  )");
}

TEST(Cancel, DoesNotEndAWaitForALock) {
  play(R"(
    A: lock m, unlock m, testcancel
    B: lock m, cancel A, unlock m
    --
    B lock m = 0
    B cancel A = 0                    | B
    B unlock m = 0                    | A B
    A lock m = 0
    A unlock m = 0, testcancel left
  )");
}

TEST(Cancel, MayBeSwitchedOff) {
  play(R"(
    A: cancelstate disable, sleep 5ms, cancelstate enable, testcancel, yield
    B: cancel A
    --
    A starts, cancelstate disable = 0
    B cancel A = 0                                         | B
    B ends
    at 5ms
    A sleep 5ms = 0, cancelstate enable = 0, testcancel left
  )");
}

TEST(Cancel, StrikesAnywhereWhenItIsAsynchronous) {
  play(R"(
    A: canceltype asynchronous, lock m
    B: cancel A
    --
    A starts, canceltype asynchronous = 0
    B cancel A = 0
    A lock m left
  )");
}

TEST(Cancel, IsFoundWhenItBecomesAsynchronousAndAtStepsThatWaitForNothing) {
  play(R"(
    A: yield, canceltype asynchronous, yield
    B: canceltype asynchronous, yield
    C: cancel A, cancel B
    --
    B starts, canceltype asynchronous = 0
    C cancel A = 0
    A yield, canceltype asynchronous left
    C cancel B = 0
    B yield left
  )");
}

TEST(Cancel, OfATaskThatHasEndedDoesNothing) {
  play(R"(
    A: yield
    B: cancel A, join A
    --
    A yield
    A ends
    B cancel A = 0
    B join A = 0
  )");
}

TEST(Cancel, JoinIsACancellationPointAndTheTaskCanStillBeJoined) {
  play(R"(
    A: join C
    B: cancel A, yield, join C
    C: sleep 5ms
    --
    B cancel A = 0
    A join C left
    A ends
    B yield
    at 5ms
    C sleep 5ms = 0
    C ends
    B join C = 0
  )");
}

TEST(Cancel, WhatCleansUpIsNotCancelledAgain) {
  play(R"(
    A: cleanup last body
    body: sleep 5ms
    last: sleep 3ms
    B: cancel A, join A
    --
    B cancel A = 0                                          | A
    A sleep 5ms left                                        | nobody
    at 3ms
    A sleep 3ms = 0, cleanup last body left
    A ends
    B join A = 0 cancelled
  )");
}

TEST(Cancel, TheEndOfATaskIsNotCancelled) {
  play(R"(
    A: thread-atexit last, yield
    last: sleep 5ms
    B: cancel A, join A
    --
    A starts, thread-atexit last = 0
    A yield
    B cancel A = 0
    at 5ms
    A sleep 5ms = 0
    A ends
    B join A = 0
  )");
}

// -- what happens at the end ------------------------------------------------------------------------------------------

TEST(ThreadEnd, ThreadLocalsGoNewestFirst) {
  play(R"(
    A: thread-atexit first, thread-atexit second, yield
    first: lock m, unlock m
    second: lock n, unlock n
    --
    A starts, thread-atexit first = 0, thread-atexit second = 0
    A yield
    A lock n = 0
    A unlock n = 0
    A lock m = 0
    A unlock m = 0
    A ends
  )");
}

TEST(ThreadEnd, OneThatIsMadeWhileTheyGoGoesToo) {
  play(R"(
    A: thread-atexit first, yield
    first: thread-atexit second
    second: lock n, unlock n
    --
    A starts, thread-atexit first = 0
    A yield, thread-atexit second = 0
    A lock n = 0
    A unlock n = 0
    A ends
  )");
}

TEST(ThreadEnd, KeysHaveTheirDestructorsCalled) {
  play(R"(
    A: key k last, setkey k, yield
    last: lock m, unlock m, getkey k
    B: yield, getkey k
    --
    A starts, key k last = 0, setkey k = 0
    B yield, getkey k = null
    A yield
    A lock m = 0
    A unlock m = 0, getkey k = null
    A ends
  )");
}

TEST(ThreadEnd, AKeyThatIsSetAgainIsTriedAFewTimes) {
  play(R"(
    A: key k last, setkey k, yield
    last: setkey k
    --
    A starts, key k last = 0, setkey k = 0
    A yield, setkey k = 0, setkey k = 0, setkey k = 0, setkey k = 0
    A ends
  )");
}

TEST(ThreadEnd, WithoutValueOrDestructorNothingIsCalled) {
  play(R"(
    A: key k last, key l, setkey l, setkey k, setkey k null, key n last, setkey n, deletekey n, yield
    last: lock m
    --
    A starts, key k last = 0, key l = 0, setkey l = 0, setkey k = 0, setkey k null = 0, key n last = 0, setkey n = 0, deletekey n = 0
    A yield
    A ends
  )");
}

TEST(ThreadEnd, ThreadLocalsGoBeforeKeys) {
  play(R"(
    A: key k keyed, setkey k, thread-atexit local, yield
    keyed: lock m, unlock m
    local: lock n, unlock n
    --
    A starts, key k keyed = 0, setkey k = 0, thread-atexit local = 0
    A yield
    A lock n = 0
    A unlock n = 0
    A lock m = 0
    A unlock m = 0
    A ends
  )");
}

TEST(ThreadEnd, ExitUnwindsTheStack) {
  play(R"(
    A: once o init, yield
    init: exit 5
    B: join A
    --
    A exit 5, once o init left
    A ends
    B join A = 0 5
  )");
}

}  // namespace
}  // namespace ravel::test

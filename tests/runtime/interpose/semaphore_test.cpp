// SPDX-License-Identifier: Apache-2.0
// Semaphores, barriers, and what is to happen once.
#include <gtest/gtest.h>

#include "operation_script.h"

namespace ravel::test {
namespace {

TEST(Semaphore, AWaitTakesAUnitOrWaitsForOne) {
  play(R"(
    semaphore s 1
    A: semwait s, semwait s
    B: post s
    --
    A semwait s = 0  | B
    B post s = 0     | A B
    A semwait s = 0  | A B
  )");
}

TEST(Semaphore, OneUnitIsForOneOfThoseWhoWait) {
  play(R"(
    A: semwait s
    B: semwait s
    C: post s, post s
    --
    C post s = 0     | A B C
    B semwait s = 0  | B C
    C post s = 0     | A B C
  )");
}

TEST(Semaphore, UnitsAreCounted) {
  play(R"(
    A: post s, post s, semtrywait s, semtrywait s, semtrywait s
    --
    A post s = 0
    A post s = 0
    A semtrywait s = 0
    A semtrywait s = 0
    A semtrywait s = EAGAIN
  )");
}

TEST(Semaphore, HasAGreatestValue) {
  play(R"(
    semaphore s 2147483647
    A: post s
    --
    A post s = EOVERFLOW
  )");
}

TEST(Semaphore, ATimedWaitGivesUpAtItsDeadline) {
  play(R"(
    A: semtimedwait s 5ms
    B: sleep 9ms
    --
    at 5ms
    A semtimedwait s 5ms = ETIMEDOUT
  )");
}

TEST(Semaphore, ATimedWaitGetsWhatIsPostedInTime) {
  play(R"(
    A: semtimedwait s 5ms monotonic
    B: post s
    --
    B post s = 0                         | A B
    A semtimedwait s 5ms monotonic = 0
  )");
}

TEST(Semaphore, ATimedWaitMayGiveUpThoughOthersCouldRun) {
  play(R"(
    A: yield, semtimedwait s 5ms
    B: post s
    --
    A(timeout) yield                  | A B
    at 5ms
    A semtimedwait s 5ms = ETIMEDOUT
  )");
}

TEST(Semaphore, DeadlinesAreCheckedFirst) {
  play(R"(
    semaphore s 1
    A: semtimedwait s invalid, semtimedwait s 5ms boottime, semtimedwait s past, semtimedwait s past
    --
    A starts, semtimedwait s invalid = EINVAL, semtimedwait s 5ms boottime = EINVAL
    A semtimedwait s past = 0
    A semtimedwait s past = ETIMEDOUT
  )");
}

TEST(Semaphore, ASignalInterruptsAWait) {
  play(R"(
    A: handle USR1 handler, semwait s
    handler: yield
    B: kill A USR1
    --
    A starts, handle USR1 handler = 0  | B
    B kill A USR1 = 0                  | A B
    A semwait s ...
    A yield, ... semwait s = EINTR
  )");
}

TEST(Semaphore, AWaitIsACancellationPoint) {
  play(R"(
    semaphore t 1
    A: semwait s
    B: semwait t
    C: cancel A, cancel B
    --
    C cancel A = 0    | A B C
    A semwait s left  | A B C
    C cancel B = 0
    B semwait t left
  )");
}

TEST(Semaphore, NobodyWhoCouldPostIsADeadlock) {
  play(R"(
    A: semwait s, post t
    B: semwait t, post s
    C: yield
    --
    C yield
    C ends   | nobody
    deadlock: A sem-wait s, B sem-wait t
  )");
}

// -- barriers ---------------------------------------------------------------------------------------------------------

TEST(Barrier, OpensWhenTheLastArrives) {
  play(R"(
    barrier b 3
    A: barrier b
    B: barrier b
    C: barrier b
    --
    A barrier b ...        | B C
    C barrier b ...        | B
    B barrier b = serial   | A B C
    A ... barrier b = 0
    C ... barrier b = 0
  )");
}

TEST(Barrier, ServesRoundAfterRound) {
  play(R"(
    barrier b 2
    A: barrier b, barrier b
    B: barrier b, barrier b
    --
    A barrier b ...
    B barrier b = serial   | A B
    B barrier b ...        | A
    A ... barrier b = 0    | A
    A barrier b = serial   | A B
    B ... barrier b = 0
  )");
}

TEST(Barrier, TooFewIsADeadlock) {
  play(R"(
    barrier b 3
    A: barrier b
    B: barrier b
    --
    A barrier b ...
    B barrier b ...  | nobody
    deadlock: A barrier-wait b, B barrier-wait b
  )");
}

TEST(Barrier, MayBeDestroyedBeforeAllHaveLeft) {
  play(R"(
    barrier b 2
    A: barrier b
    B: barrier b, destroy barrier b
    --
    A barrier b ...
    B barrier b = serial
    B destroy barrier b = 0
    A ... barrier b = 0
  )");
}

TEST(Barrier, DestroyingOneAtWhichSomebodyWaitsIsMisuse) {
  play(R"(
    barrier b 2
    A: barrier b
    B: destroy barrier b
    --
    A barrier b ...
    B destroy barrier b = 0
    lock-misuse by B: a task destroys a barrier at which another task waits
  )");
}

// -- once -------------------------------------------------------------------------------------------------------------

TEST(Once, TheFirstRunsItAndTheOthersWait) {
  play(R"(
    A: once o init
    B: once o init
    init: yield
    --
    A once o init ...      | A
    A yield                | A
    A ... once o init = 0  | A B
    B once o init = 0
  )");
}

TEST(Once, WhatIsDoneIsNoPoint) {
  play(R"(
    A: once o init, once o init, yield
    init: yield
    --
    A once o init ...
    A yield
    A ... once o init = 0, once o init = 0
    A yield
  )");
}

TEST(Once, ARoutineLeftByAnExceptionIsForTheNext) {
  play(R"(
    A: once o bad, yield
    B: once o good
    bad: yield, throw
    good: yield
    --
    A once o bad ...                            | A
    A yield, throw, ... once o bad = exception  | A B
    B once o good ...
    B yield
    B ... once o good = 0
  )");
}

TEST(Once, ARoutineLeftByCancellationIsForTheNext) {
  play(R"(
    A: once o init
    B: cancel A, once o init
    init: sleep 5ms
    --
    A once o init ...                      | B
    B cancel A = 0                         | A
    A sleep 5ms left, ... once o init left | A B
    B once o init ...
    A ends                                 | nobody
    at 5ms
    B sleep 5ms = 0
  )");
}

TEST(Once, OnesInsideOfOthersAreKeptApart) {
  play(R"(
    A: once o outer
    B: once p inner, once o outer
    outer: once p inner, throw
    inner: yield
    --
    A once o outer ...
    A once p inner ...
    A yield
    A ... once p inner = 0, throw, ... once o outer = exception  | A B
    B once p inner = 0
    B once p inner = 0, throw, once o outer = exception
  )");
}

TEST(Once, AllThatATaskIsInsideOfAreForTheNext) {
  play(R"(
    A: once o outer
    B: cancel A, once p inner, once o outer
    outer: once p inner
    inner: sleep 5ms
    --
    A once o outer ...
    A once p inner ...
    B cancel A = 0
    A sleep 5ms left, ... once p inner left, ... once o outer left
    A ends
    B once p inner ...
    at 5ms
    B sleep 5ms = 0
    B ... once p inner = 0
    B once p inner = 0, once o outer ...
    B ... once o outer = 0
  )");
}

TEST(Once, CyclesAreDeadlocks) {
  play(R"(
    A: once o first
    B: once p second
    first: once p second
    second: once o first
    --
    A once o first ...
    B once p second ...
    deadlock: B once o held by A, A once p held by B
  )");
}

TEST(Guard, TheFirstInitialisesAndTheOthersWait) {
  play(R"(
    A: guard g, guard-done g
    B: guard g
    --
    A guard g = 1   | A
    A guard-done g  | A B
    B guard g = 0
  )");
}

TEST(Guard, AnAbortedInitialisationIsForTheNext) {
  play(R"(
    A: guard g, guard-abort g
    B: guard g, guard-done g
    --
    A guard g = 1    | A
    A guard-abort g  | A B
    B guard g = 1
  )");
}

TEST(Guard, CyclesAreDeadlocks) {
  play(R"(
    A: guard g, guard h
    B: guard h, guard g
    --
    A guard g = 1
    B guard h = 1
    deadlock: B static-init g held by A, A static-init h held by B
  )");
}

}  // namespace
}  // namespace ravel::test

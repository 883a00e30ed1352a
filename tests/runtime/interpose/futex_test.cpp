// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "operation_script.h"

namespace ravel::test {
namespace {

TEST(Futex, AWaitIsForAWordThatHoldsTheValue) {
  play(R"(
    word w 5
    A: futex-wait w 5
    B: futex-wait w 4
    C: futex-wake w 1
    --
    A futex-wait w 5 ...        | B C
    B futex-wait w 4 = EAGAIN
    C futex-wake w 1 = 1        | A B C
    A ... futex-wait w 5 = 0
  )");
}

TEST(Futex, TheWordIsLookedAtInTheStepOfTheWait) {
  play(R"(
    A: futex-wait w 0
    B: yield, word w 1, futex-wake w 1
    --
    B yield, word w 1
    A futex-wait w 0 = EAGAIN
    B futex-wake w 1 = 0
  )");
}

TEST(Futex, AWakeIsForThoseWhoWaitNow) {
  play(R"(
    A: futex-wait w 0
    B: futex-wake w 1
    --
    B futex-wake w 1 = 0
    B ends
    A futex-wait w 0 ...  | nobody
    deadlock: A futex-wait w
  )");
}

TEST(Futex, AWakeReachesAsManyAsItSays) {
  play(R"(
    A: futex-wait w 0
    B: futex-wait w 0
    C: futex-wait w 0
    D: futex-wake w 2, futex-wake w 2
    --
    A futex-wait w 0 ...
    B futex-wait w 0 ...
    C futex-wait w 0 ...
    D futex-wake w 2 = 2  | A B D
    D futex-wake w 2 = 1  | A B C D
  )");
}

TEST(Futex, WhomAWakeReachesIsAChoice) {
  play(R"(
    A: futex-wait w 0
    B: futex-wait w 0
    C: futex-wait w 0
    D: futex-wake w 2
    --
    A futex-wait w 0 ...
    B futex-wait w 0 ...
    C futex-wait w 0 ...
    D(3rd, 2nd) futex-wake w 2 = 2  | B C D
  )");
}

TEST(Futex, WordsAreIndependent) {
  play(R"(
    A: futex-wait w 0
    B: futex-wake v 1
    --
    A futex-wait w 0 ...
    B futex-wake v 1 = 0  | B
  )");
}

TEST(Futex, AWaitMayEndWithoutAWake) {
  play(R"(
    A: futex-wait w 0
    B: futex-wake w 1
    --
    A(spurious) futex-wait w 0 ...  | A B
    B futex-wake w 1 = 0
    A ... futex-wait w 0 = 0
  )");
}

// -- time -------------------------------------------------------------------------------------------------------------

TEST(Futex, AWaitGivesUpWhenItsTimeIsOver) {
  play(R"(
    A: futex-wait w 0 5ms
    B: sleep 9ms
    --
    A futex-wait w 0 5ms ...             | nobody
    at 5ms
    A ... futex-wait w 0 5ms = ETIMEDOUT
  )");
}

TEST(Futex, WhoHasGivenUpIsNotWoken) {
  play(R"(
    A: futex-wait w 0 5ms
    B: yield, futex-wake w 1
    --
    A(timeout) futex-wait w 0 5ms ...     | A B
    at 5ms
    A ... futex-wait w 0 5ms = ETIMEDOUT
    B yield
    B futex-wake w 1 = 0
  )");
}

TEST(Futex, AWakeBeforeTheTaskGoesOnCountsThoughItsTimeIsUp) {
  play(R"(
    A: futex-wait w 0 5ms
    B: futex-wake w 1
    --
    A(timeout) futex-wait w 0 5ms ...
    at 5ms
    B futex-wake w 1 = 1
    A ... futex-wait w 0 5ms = 0
  )");
}

TEST(Futex, TheTimeOfAPlainWaitIsADuration) {
  play(R"(
    A: sleep 3ms, futex-wait w 0 5ms
    --
    at 3ms
    A sleep 3ms = 0
    A futex-wait w 0 5ms ...
    at 8ms
    A ... futex-wait w 0 5ms = ETIMEDOUT
  )");
}

TEST(Futex, TheTimeOfAWaitWithBitsIsADeadlineOnEitherClock) {
  play(R"(
    A: futex-wait-bits w 0 1 5ms, futex-wait-bits w 0 1 5ms realtime
    --
    A futex-wait-bits w 0 1 5ms ...
    at 5ms
    A ... futex-wait-bits w 0 1 5ms = ETIMEDOUT
    A futex-wait-bits w 0 1 5ms realtime ...
    at 10ms
    A ... futex-wait-bits w 0 1 5ms realtime = ETIMEDOUT
  )");
}

TEST(Futex, AnInvalidTimeIsRefused) {
  play(R"(
    A: futex-wait w 0 invalid, yield
    --
    A starts, futex-wait w 0 invalid = EINVAL
  )");
}

// -- bits -------------------------------------------------------------------------------------------------------------

TEST(Futex, AWakeReachesThoseWhoHaveABitInCommon) {
  play(R"(
    A: futex-wait-bits w 0 1
    B: futex-wait-bits w 0 6
    C: futex-wait w 0
    D: futex-wake-bits w 9 4, futex-wake w 9
    --
    A futex-wait-bits w 0 1 ...
    B futex-wait-bits w 0 6 ...
    C futex-wait w 0 ...
    D futex-wake-bits w 9 4 = 2  | B C D
    D futex-wake w 9 = 1         | A B C D
  )");
}

TEST(Futex, TheChoiceIsAmongThoseOnly) {
  play(R"(
    A: futex-wait-bits w 0 1
    B: futex-wait-bits w 0 2
    C: futex-wait-bits w 0 2
    D: futex-wake-bits w 1 2
    --
    A futex-wait-bits w 0 1 ...
    B futex-wait-bits w 0 2 ...
    C futex-wait-bits w 0 2 ...
    D(2nd) futex-wake-bits w 1 2 = 1  | C D
  )");
}

TEST(Futex, NoBitsAreRefused) {
  play(R"(
    A: futex-wait-bits w 0 0, futex-wake-bits w 1 0, yield
    --
    A starts, futex-wait-bits w 0 0 = EINVAL, futex-wake-bits w 1 0 = EINVAL
  )");
}

// -- from one word to another -----------------------------------------------------------------------------------------

TEST(Futex, RequeueWakesSomeAndMovesOthers) {
  play(R"(
    A: futex-wait w 0
    B: futex-wait w 0
    C: futex-wait w 0
    D: futex-requeue w 1 1 v, futex-wake v 9, futex-wake w 9
    --
    A futex-wait w 0 ...
    B futex-wait w 0 ...
    C futex-wait w 0 ...
    D futex-requeue w 1 1 v = 1  | A D
    D futex-wake v 9 = 1         | A B D
    D futex-wake w 9 = 1         | A B C D
  )");
}

TEST(Futex, RequeueMayCompareFirstAndCountsAll) {
  play(R"(
    word w 7
    A: futex-wait w 7
    B: futex-wait w 7
    C: futex-requeue w 1 9 v 6, futex-requeue w 1 9 v 7, futex-wake v 1
    --
    A futex-wait w 7 ...
    B futex-wait w 7 ...
    C futex-requeue w 1 9 v 6 = EAGAIN  | C
    C futex-requeue w 1 9 v 7 = 2       | A C
    C futex-wake v 1 = 1                | A B C
  )");
}

TEST(Futex, MovedToItsOwnWordNobodyMoves) {
  play(R"(
    A: futex-wait w 0
    B: futex-requeue w 0 9 w 0, futex-wake w 1
    --
    A futex-wait w 0 ...
    B futex-requeue w 0 9 w 0 = 0  | B
    B futex-wake w 1 = 1
  )");
}

TEST(Futex, WakeOpChangesTheSecondWordAndMayWakeThere) {
  play(R"(
    A: futex-wait w 0
    B: futex-wait v 0
    C: futex-wake-op w 1 v 1, futex-wait v 0
    --
    A futex-wait w 0 ...
    B futex-wait v 0 ...
    C futex-wake-op w 1 v 1 = 2  | A B C
    C futex-wait v 0 = EAGAIN
  )");
}

TEST(Futex, WakeOpDoesNotWakeThereWhenItsConditionFails) {
  play(R"(
    word v 3
    A: futex-wait w 0
    B: futex-wait v 3
    C: futex-wake-op w 1 v 1
    --
    A futex-wait w 0 ...
    B futex-wait v 3 ...
    C futex-wake-op w 1 v 1 = 1  | A C
  )");
}

// -- signals ----------------------------------------------------------------------------------------------------------

TEST(Futex, ASignalInterruptsAWait) {
  play(R"(
    A: handle USR1 handler, futex-wait w 0
    handler: set x 1
    B: kill A USR1, futex-wake w 1
    --
    A starts, handle USR1 handler = 0
    A futex-wait w 0 ...            | B
    B kill A USR1 = 0               | A B
    A ... futex-wait w 0 = EINTR
    B futex-wake w 1 = 0
  )");
}

}  // namespace
}  // namespace ravel::test

// SPDX-License-Identifier: Apache-2.0
// Tasks that only seem to run, and what happens when nobody can: loops that wait, virtual time, deadlock, livelock.
#include <gtest/gtest.h>

#include "scheduler_script.h"

namespace ravel::test {
namespace {

// -- loops that wait --------------------------------------------------------------------------------------------------

TEST(Spin, ALoopOfUnchangedReadsWaitsForAWrite) {
  play(R"(
    plan spin=1
    A: spin x
    B: write x 1
    --
    A spin x ...      | A B
    A ...             | B
    B write x 1       | A B
    A ... spin x = 1
  )");
}

TEST(Spin, HowManyRoundsMakeALoopIsPartOfThePlan) {
  play(R"(
    plan spin=0
    A: spin x
    B: write x 1
    --
    A spin x ...  | B
  )");
  play(R"(
    plan spin=2
    A: spin x
    B: write x 1
    --
    A spin x ...  | A B
    A ...         | A B
    A ...         | A B
    A ...         | B
  )");
}

TEST(Spin, AWriteElsewhereDoesNotWakeTheLoop) {
  play(R"(
    plan spin=1
    A: spin x
    B: write y 1, write x 1
    --
    A spin x ...
    A ...        | B
    B write y 1  | B
    B write x 1  | A B
  )");
}

TEST(Spin, AWriteOfTheSameValueWakesTheLoopToo) {
  play(R"(
    plan spin=1
    A: spin x
    B: write x 0, write x 1
    --
    A spin x ...
    A ...             | B
    B write x 0       | A B
    A ...             | A B
  )");
}

TEST(Spin, WhoWritesInEachRoundIsWorking) {
  play(R"(
    plan spin=0
    A: read x, write y 1, read x, write y 1, read x
    B: write x 1
    --
    A read x = 0
    A write y 1
    A read x = 0
    A write y 1   | A B
  )");
}

TEST(Spin, TheSameReadAtTwoPlacesIsNoLoop) {
  play(R"(
    plan spin=0
    A: read x, read x, read x
    B: write x 1
    --
    A read x = 0  | A B
    A read x = 0  | A B
  )");
}

TEST(Spin, AReadThatSeesSomethingNewIsNoRound) {
  play(R"(
    plan spin=1
    A: repeat 9 read x
    B: write x 1, write x 2
    --
    A read x = 0
    B write x 1
    A read x = 1
    B write x 2
    A read x = 2  | A B
    A read x = 2  | A B
    A read x = 2  | B
  )");
}

TEST(Spin, ALoopThatOnlyYieldsWaitsForAnyChange) {
  play(R"(
    plan spin=1
    A: repeat 9 yield
    B: point, open k
    --
    A yield   | A B
    A yield   | B
    B point   | B
    B open k  | A B
  )");
}

TEST(Spin, WhenNobodyElseCanRunTheLoopMayGoOn) {
  play(R"(
    plan spin=1
    A: repeat 4 read x
    B: await k
    --
    A read x = 0
    A read x = 0  | nobody
    A read x = 0  | A
    A read x = 0
  )");
}

TEST(Spin, ALoopMayGoOnWhenTimePasses) {
  play(R"(
    plan spin=1
    A: repeat 4 read x
    B: sleep 5ms
    --
    A read x = 0
    A read x = 0  | nobody
    at 5ms
    B sleep 5ms   | A B
    A read x = 0
  )");
}

// What is in memory does not change, but the task has not seen it yet.
TEST(Spin, ATaskThatSeesOldStoresIsNotSpinning) {
  play(R"(
    plan spin=1
    A: repeat 9 pick x 2
    B: point
    --
    A(store 1) pick x 2 = 1
    A(store 1) pick x 2 = 1
    A(store 1) pick x 2 = 1  | A B
    A pick x 2 = 0           | A B
    A pick x 2 = 0           | B
  )");
}

TEST(Spin, LookingUnderALockAgainAndAgainIsALoop) {
  play(R"(
    plan spin=0
    A: repeat 3 call section
    section: take k, look 7, give k
    B: take k, write x 1, give k
    --
    A take k, look 7  | A
    A give k          | A B
    A take k, look 7  | A
    A give k          | B
    B take k          | B
    B write x 1       | B
    B give k          | A B
  )");
}

TEST(Spin, WhoOnlyTookTheLockHasNothingToShow) {
  play(R"(
    plan spin=0
    A: repeat 3 call section
    section: take k, look 7, give k
    B: take k, give k, point
    --
    A take k, look 7  | A
    A give k          | A B
    A take k, look 7  | A
    A give k          | B
    B take k          | B
    B give k          | B
  )");
}

TEST(Spin, AnExhaustiveSearchTakesTheFirstRepetitionForALoop) {
  play(R"(
    plan exhaustive spin=0
    A: spin x
    B: write x 1
    --
    A spin x ...  | B
    B write x 1   | A B
  )");
}

// -- time -------------------------------------------------------------------------------------------------------------

TEST(Time, StandsStillWhileSomebodyCanRun) {
  play(R"(
    A: sleep 5ms
    B: point, point
    --
    B point  | B
    B point  | B
    B ends   | nobody
    at 5ms
    A sleep 5ms
  )");
}

TEST(Time, PassesToTheEarliestDeadline) {
  play(R"(
    A: sleep 9ms
    B: sleep 5ms
    C: sleep 7ms
    --
    at 5ms
    B sleep 5ms  | B
    B ends       | nobody
    at 7ms
    C sleep 7ms
    C ends
    at 9ms
    A sleep 9ms
  )");
}

TEST(Time, EqualDeadlinesComeTogether) {
  play(R"(
    A: sleep 5ms
    B: sleep 5ms
    --
    at 5ms
    B sleep 5ms  | A B
    A sleep 5ms
  )");
}

TEST(Time, AWaitGivesUpAtItsDeadline) {
  play(R"(
    A: await k 5ms
    B: sleep 6ms
    --
    at 5ms
    A await k 5ms = timeout
    A ends                   | nobody
    at 6ms
    B sleep 6ms
  )");
}

TEST(Time, ADeadlineThatIsNowIsOver) {
  play(R"(
    A: await k 0ms
    B: point
    --
    B point                  | A B
    A await k 0ms = timeout
  )");
}

TEST(Time, WhenItHasPassedAWaitThatHoldsIsNoTimeout) {
  play(R"(
    A: await k 5ms
    B: sleep 5ms, open k
    --
    at 5ms
    B sleep 5ms    | A B
    B open k       | A B
    A await k 5ms
  )");
}

TEST(Time, MayPassThoughOthersCouldRun) {
  play(R"(
    A: await k 5ms
    B: point, pass 6ms, point
    --
    B point, pass 6ms  | A B
    at 6ms
    A await k 5ms = timeout
  )");
}

// A loop that waits for a time would else take for ever; one that measures something must not see the time leap.
TEST(Time, ReadingTheClockOnAndOnMovesItMoreAndMore) {
  std::string reads;
  for (int read = 1; read <= 64; ++read) reads += ", clock = " + std::to_string(read) + "us";
  play(R"(
    A: repeat 66 clock, point, clock
    --
    A starts)" +
       reads + R"(, clock = 66us, clock = 68us
    at 68us
    A point, clock = 69us
  )");
}

TEST(Time, TheDurationOfAnExecutionIsTold) {
  EXPECT_EQ(play(R"(
    A: sleep 3s
    --
    at 3s
    A sleep 3s
  )")
                .result()
                .summary.virtual_nanoseconds,
            3'000'000'000U);
}

// -- deadlock ---------------------------------------------------------------------------------------------------------

TEST(Deadlock, IsThatNobodyCanEverRun) {
  const Script run = play(R"(
    A: await k
    B: point, await l
    --
    B point  | nobody
    deadlock: A wait k, B wait l
  )");
  EXPECT_EQ(run.result().summary.outcome, Outcome::stopped);
  EXPECT_EQ(run.result().finding[0].participants_total, 3U);  // T0 waits for A
  EXPECT_EQ(run.result().finding[0].participant[1].blocked, 1U);
}

TEST(Deadlock, WhoHasEndedTakesNoPart) {
  play(R"(
    A: take k
    B: point, take k
    --
    A take k
    A ends
    B point  | nobody
    deadlock: B lock k held by A
  )");
}

TEST(Deadlock, ALockCycleIsFoundAtOnceAlthoughOthersCouldRun) {
  const Script run = play(R"(
    A: take k, take l
    B: take l, take k
    C: point
    --
    A take k  | A B C
    B take l  | C
    deadlock: B lock k held by A, A lock l held by B
  )");
  EXPECT_EQ(run.result().finding[0].participants, 2U);
}

TEST(Deadlock, ACycleOfThreeIsOneToo) {
  play(R"(
    A: take k, take l
    B: take l, take m
    C: take m, take k
    D: point
    --
    A take k
    B take l
    C take m  | D
    deadlock: C lock k held by A, A lock l held by B, B lock m held by C
  )");
}

TEST(Deadlock, AChainThatLeadsOutIsNoCycle) {
  play(R"(
    A: take k, take l, give k
    B: take l, point, give l
    C: take k
    --
    A take k
    B take l   | B
    B point    | B
    B give l   | A B
    A take l
    A give k   | A B C
  )");
}

TEST(Deadlock, WhoGivesUpInTimeIsPartOfNoCycle) {
  play(R"(
    A: take k, take l 5ms, give k
    B: take l, take k
    --
    A take k
    B take l                 | nobody
    at 5ms
    A take l 5ms = timeout   | A
    A give k                 | A B
    B take k
  )");
}

TEST(Deadlock, IsALostWakeUpWhenTheNotificationCameTooEarly) {
  play(R"(
    A: point, await k
    B: lose k
    --
    B lose k
    A point
    B ends    | nobody
    lost-wakeup: A wait k
  )");
}

TEST(Deadlock, WhenAnotherNotificationWasLostIsNone) {
  play(R"(
    A: point, await k
    B: lose l
    --
    B lose l
    A point
    B ends    | nobody
    deadlock: A wait k
  )");
}

// -- livelock ---------------------------------------------------------------------------------------------------------

TEST(Livelock, IsThatAllOnlyTryAgain) {
  const Script run = play(R"(
    launch max-steps=100000
    plan spin=30
    A: repeat 1000000 yield
    B: repeat 1000000 yield
    --
    ...
    livelock: A yield, B yield
  )");
  EXPECT_EQ(run.result().summary.steps, 100'000U);
}

TEST(Livelock, WhoStillMakesProgressIsOnlyLong) {
  play(R"(
    launch max-steps=100000
    plan spin=30
    A: repeat 1000000 yield
    B: repeat 1000000 write x 1
    --
    ...
    cut
  )");
}

TEST(Livelock, ALowBoundSaysNothing) {
  play(R"(
    launch max-steps=1000
    plan spin=30
    A: repeat 1000000 yield
    B: repeat 1000000 yield
    --
    ...
    cut
  )");
}

}  // namespace
}  // namespace ravel::test

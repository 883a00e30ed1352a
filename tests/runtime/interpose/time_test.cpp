// SPDX-License-Identifier: Apache-2.0
// Sleeping, yielding and clocks, in virtual time.
#include <gtest/gtest.h>

#include "operation_script.h"
#include "runtime/interpose/virtual_time.h"

namespace ravel::test {
namespace {

TEST(Sleep, LastsUntilNobodyElseCanRun) {
  play(R"(
    A: sleep 1s
    B: yield, yield
    --
    B yield  | B
    B yield  | B
    B ends   | nobody
    at 1s
    A sleep 1s = 0
  )");
}

TEST(Sleep, TheShortestEndsFirst) {
  play(R"(
    A: sleep 3ms, sleep 3ms
    B: sleep 5ms
    --
    at 3ms
    A sleep 3ms = 0  | nobody
    at 5ms
    B sleep 5ms = 0
    B ends
    at 6ms
    A sleep 3ms = 0
  )");
}

TEST(Sleep, OfEqualOnesEitherEndsFirst) {
  play(R"(
    A: sleep 5ms
    B: sleep 5ms
    --
    at 5ms
    B sleep 5ms = 0  | A B
    A sleep 5ms = 0
  )");
}

TEST(Sleep, MayBeOverThoughOthersCouldRun) {
  play(R"(
    A: yield, sleep 5ms
    B: yield
    --
    A(short) yield  | A B
    at 5ms
    A sleep 5ms = 0
  )");
}

TEST(Sleep, ALongOneIsOverBeforeItsTimeOnlyByATimeout) {
  play(R"(
    A: yield, sleep 2s
    B: yield
    --
    A(short,timeout) yield  | A B
    at 2s
    A sleep 2s = 0
  )");
}

// Whoever looks, sleeps and gives up after some rounds is to see what others do.
TEST(Sleep, IsNotShortTwiceInARow) {
  play(R"(
    A: yield, sleep 5ms, sleep 5ms, sleep 5ms
    B: yield
    --
    A(short) yield         | A B
    at 5ms
    A(short) sleep 5ms = 0 | B
    B yield                | B
    B ends                 | nobody
    at 10ms
    A sleep 5ms = 0
  )");
}

TEST(Sleep, AShortOneMakesNobodyGiveUp) {
  play(R"(
    A: yield, sleep 5ms, post s
    B: semtimedwait s 3ms
    --
    A(short) yield          | A
    at 5ms
    A sleep 5ms = 0         | A
    A post s = 0            | A B
    B semtimedwait s 3ms = 0
  )");
}

// Every schedule is to be explored, and each of them without a choice of the environment.
TEST(Sleep, IsNoOrderWhereEveryScheduleIsExplored) {
  play(R"(
    plan exhaustive
    A: sleep 5ms
    B: yield
    --
    at 5ms
    A sleep 5ms = 0  | A B
  )");
}

TEST(Sleep, IsWhatAPollOfNothingDoes) {
  play(R"(
    A: yield, poll-nothing 5ms
    B: yield
    --
    A(short) yield  | A B
    at 5ms
    A poll-nothing 5ms = 0
  )");
}

// The machine was held up: whoever waited for an earlier time is late, too.
TEST(Sleep, WhenTimePassesAllEarlierDeadlinesAreReached) {
  play(R"(
    A: yield, sleep 9ms
    B: sleep 5ms
    C: sleep 20ms
    --
    A(short) yield  | A B
    at 9ms
    B sleep 5ms = 0
  )");
}

TEST(Sleep, IsNoOrderWhereThePlanSaysSo) {
  play(R"(
    plan short-sleeps
    A: sleep 5ms, sleep 5ms
    B: yield
    --
    at 5ms
    A sleep 5ms = 0  | A B
    at 10ms
    A sleep 5ms = 0  | A B
  )");
}

TEST(Sleep, UntilATimeThatIsOverIsAStepOnly) {
  play(R"(
    A: sleep-until past, sleep-until 5ms, sleep-until 5ms monotonic
    B: yield
    --
    A sleep-until past = 0  | B
    B yield
    B ends                  | nobody
    at 5ms
    A sleep-until 5ms = 0
    at 10ms
    A sleep-until 5ms monotonic = 0
  )");
}

TEST(Sleep, ASignalInterruptsItAndTheRestIsTold) {
  play(R"(
    A: handle USR1 handler, sleep 9ms
    handler: set x 1
    B: sleep 4ms, kill A USR1
    --
    A starts, handle USR1 handler = 0
    at 4ms
    B sleep 4ms = 0
    B kill A USR1 = 0            | A B
    A sleep 9ms = EINTR 5ms
  )");
}

TEST(Sleep, InvalidTimesAreRefused) {
  play(R"(
    A: sleep invalid, sleep-until invalid, yield
    --
    A starts, sleep invalid = EINVAL, sleep-until invalid = EINVAL
  )");
}

TEST(Yield, LetsOthersGoFirstAndChangesNothing) {
  const Script run = play(R"(
    A: yield, yield
    B: yield
    --
    A yield  | A B
    B yield  | A B
    A yield  | A B
  )");
  EXPECT_EQ(run.result().summary.virtual_nanoseconds, 0U);
}

// -- clocks -----------------------------------------------------------------------------------------------------------

TEST(Clock, StartsAtAFixedDateAndMovesWhenItIsRead) {
  play(R"(
    A: clock realtime, clock monotonic, yield
    --
    A starts, clock realtime = 1893456000000001us, clock monotonic = 1000000002us
  )");
}

TEST(Clock, ShowsThatASleepIsOver) {
  play(R"(
    A: clock monotonic, sleep 2s, clock monotonic
    --
    A starts, clock monotonic = 1000000001us
    at 2000001us
    A sleep 2s = 0, clock monotonic = 1002000002us
  )");
}

TEST(Clock, OneDeadlineOnEveryClock) {
  EXPECT_EQ(deadline_at(CLOCK_REALTIME, timespec{1'893'456'005, 7}), 5'000'000'007U);
  EXPECT_EQ(deadline_at(CLOCK_MONOTONIC, timespec{1'005, 7}), 5'000'000'007U);
}

TEST(Clock, ThePastIsZeroAndTheFarFutureIsNotNever) {
  EXPECT_EQ(deadline_at(CLOCK_REALTIME, timespec{1, 0}), 0U);
  EXPECT_EQ(deadline_at(CLOCK_REALTIME, timespec{-5, 0}), 0U);
  const timespec far{__INT64_MAX__, 999'999'999};
  EXPECT_LT(deadline_at(CLOCK_REALTIME, far), kNever);
  EXPECT_LT(deadline_after(far), kNever);
}

TEST(Clock, OnlyKnownOnesAreVirtual) {
  EXPECT_TRUE(is_virtual_clock(CLOCK_BOOTTIME));
  EXPECT_TRUE(is_virtual_clock(CLOCK_THREAD_CPUTIME_ID));
  EXPECT_FALSE(is_virtual_clock(1234));
  EXPECT_TRUE(is_wait_clock(CLOCK_MONOTONIC));
  EXPECT_FALSE(is_wait_clock(CLOCK_BOOTTIME));
}

TEST(Clock, NanosecondsHaveARange) {
  EXPECT_TRUE(has_valid_nanoseconds(timespec{0, 999'999'999}));
  EXPECT_FALSE(has_valid_nanoseconds(timespec{0, 1'000'000'000}));
  EXPECT_FALSE(has_valid_nanoseconds(timespec{0, -1}));
}

}  // namespace
}  // namespace ravel::test

// SPDX-License-Identifier: Apache-2.0
// Nobody waits for ever beside loops of others, and time passes for everybody.
#include <gtest/gtest.h>

#include "scheduler_script.h"

namespace ravel::test {
namespace {

std::uint64_t steps_of(const Script& run) {
  EXPECT_EQ(run.result().summary.outcome, Outcome::stopped);
  return run.result().summary.steps;
}

TEST(Fairness, ANapEndsBesideTasksThatAlwaysWork) {
  EXPECT_LT(steps_of(play(R"(
    launch max-steps=1000000
    A: nap 20ms, stop
    B: repeat 1000000 write x 1
    C: repeat 1000000 write y 1
    --
    ...
  )")),
            25'000U);
}

TEST(Fairness, ANapEndsSoonerBesideTasksThatYield) {
  EXPECT_LT(steps_of(play(R"(
    launch max-steps=1000000
    plan spin=30
    A: nap 20ms, stop
    B: repeat 1000000 yield
    --
    ...
  )")),
            1'000U);
}

TEST(Fairness, ANapEndsBesideShorterOnes) {
  EXPECT_LT(steps_of(play(R"(
    launch max-steps=1000000
    A: nap 900ms, stop
    B: repeat 1000000 nap 1us
    --
    ...
  )")),
            1'000U);
}

// Many steps take a small part of a second, and whoever waits for something with a bound should not miss it.
TEST(Fairness, AWaitThatMayGiveUpIsMorePatient) {
  const std::uint64_t steps = steps_of(play(R"(
    launch max-steps=1000000
    plan spin=30
    A: await k 20ms, stop
    B: repeat 1000000 yield
    --
    ...
  )"));
  EXPECT_GT(steps, 100'000U);
  EXPECT_LT(steps, 200'000U);
}

TEST(Fairness, ALongSleepIsABoundThatIsSeldomReached) {
  EXPECT_EQ(play(R"(
    launch max-steps=500000
    A: sleep 60s, stop
    B: repeat 1000000 write x 1
    --
    ...
    cut
  )")
                .result()
                .summary.virtual_nanoseconds,
            0U);
}

// A reads the same again and again, and is working all the same.
TEST(Fairness, ATaskThatWasTakenForSpinningGetsATurn) {
  EXPECT_LT(steps_of(play(R"(
    launch max-steps=1000000
    plan spin=2
    A: repeat 2000 read x, stop
    B: repeat 1000000 write y 1
    --
    ...
  )")),
            300'000U);
}

TEST(Fairness, WhenTimeIsSkippedOnlyNapsEnd) {
  play(R"(
    A: await k 5ms
    B: nap 4ms
    C: point, skip 9ms, point, open k
    --
    C point, skip 9ms  | B C
    at 9ms
    B nap 4ms
    C point            | B C
    C open k           | A B C
    A await k 5ms
  )");
}

TEST(Fairness, WhatWasSkippedIsAddedToTheWait) {
  play(R"(
    A: await k 5ms
    B: point, skip 9ms, point
    --
    B point, skip 9ms  | B
    at 9ms
    B point
    B ends             | nobody
    at 14ms
    A await k 5ms = timeout
  )");
}

TEST(Livelock, ASleeperThatHasNotRunMayBeTheOneTheyWaitFor) {
  play(R"(
    launch max-steps=100000
    plan spin=30
    A: repeat 1000000 yield
    B: sleep 1000s
    --
    ...
    cut
  )");
}

TEST(Livelock, WhoSleepsTakesPart) {
  play(R"(
    launch max-steps=400000
    plan spin=30
    A: repeat 1000000 call round
    round: yield, await k 1ms
    B: repeat 1000000 yield
    --
    ...
    livelock: A wait k, B yield
  )");
}

}  // namespace
}  // namespace ravel::test

// SPDX-License-Identifier: Apache-2.0
// The scheduling point: who is enabled, what a choice is, what is written down, how a schedule is followed again.
#include <gtest/gtest.h>

#include "scheduler_script.h"

namespace ravel::test {
namespace {

TEST(Waiting, ATaskIsEnabledWhenWhatItWaitsForHolds) {
  play(R"(
    A: await k
    B: open k
    --
    B open k   | A B
    A await k  | A B
  )");
}

TEST(Waiting, ATaskThatWaitsCannotBeChosen) {
  play(R"(
    A: await k
    B: point, open k
    --
    B point  | B
    A cannot run
  )");
}

TEST(Waiting, WhatHoldsAlreadyIsNoWait) {
  play(R"(
    A: open k, await k
    B: point
    --
    A open k   | A B
    A await k  | A B
  )");
}

TEST(Waiting, AConditionThatEndsAgainDisables) {
  play(R"(
    A: await k
    B: open k, close k, open k
    --
    B open k   | A B
    B close k  | B
    B open k   | A B
  )");
}

TEST(Waiting, AChangeElsewhereWakesNobody) {
  play(R"(
    A: await k
    B: open l, open k
    --
    B open l  | B
    B open k  | A B
  )");
}

TEST(Waiting, AllWhoWaitForAnObjectLookAgain) {
  play(R"(
    A: await k
    B: await k
    C: await k
    D: open k
    --
    D open k   | A B C D
    B await k  | A B C D
  )");
}

TEST(Waiting, WhoComesFirstTakesItAndTheOthersWaitOn) {
  play(R"(
    A: take k, give k
    B: take k, give k
    C: take k, give k
    --
    B take k  | B
    B give k  | A B C
    C take k  | B C
    B ends    | C
    C give k  | A C
    A take k  | A C
  )");
}

TEST(Waiting, AWaitThatIsOverInTimeHasNotTimedOut) {
  play(R"(
    A: await k 5ms
    B: open k
    --
    B open k       | A B
    A await k 5ms  | A B
  )");
}

TEST(Waiting, CancellationEndsAWait) {
  play(R"(
    A: await k
    B: cancel A
    --
    B cancel A             | A B
    A await k = cancelled  | A B
  )");
}

TEST(Waiting, CancellationIsFoundAtTheNextWaitToo) {
  play(R"(
    A: point, await k
    B: cancel A
    --
    B cancel A
    A point                | A B
    A await k = cancelled  | A B
  )");
}

// -- task life --------------------------------------------------------------------------------------------------------

TEST(TaskLife, ATaskIsEnabledFromItsCreation) {
  play(R"(
    A: create B, point
    B: point
    --
    A create B  | A B
    B starts    | A B
    B point     | A B
  )");
}

TEST(TaskLife, TheEndIsAStepOfItsOwn) {
  play(R"(
    A: write x 1
    B: read x
    --
    A write x 1  | A B
    A ends       | B
    B read x = 1
  )");
}

TEST(TaskLife, IdsFollowTheOrderOfCreation) {
  const Script run = play(R"(
    A: create C
    B: create D
    C: point
    D: point
    --
    B create D
    A create C
    C point
    D point
  )");
  EXPECT_EQ(run.result().summary.tasks, 5U);
  EXPECT_EQ(run.result().task[3].creator, 2U);  // D, which B created
  EXPECT_EQ(run.result().task[4].creator, 1U);
}

TEST(TaskLife, WhenAllHaveEndedTheExecutionIsOver) {
  play(R"(
    A: point
    B: point
    --
    A point
    B point
    B ends  | A
    A ends  | nobody
  )");
}

// -- what is counted --------------------------------------------------------------------------------------------------

TEST(Counts, AStepIsOnePointPassed) {
  const auto steps = [](const char* text) { return play(text).result().summary.steps; };
  const auto one = steps(R"(
    A: write x 1, write x 2, write x 3
    --
    A write x 1
  )");
  const auto three = steps(R"(
    A: write x 1, write x 2, write x 3
    --
    A write x 1
    A write x 2
    A write x 3
  )");
  EXPECT_EQ(three - one, 2U);
}

TEST(Counts, ASwitchAwayFromWhoCouldGoOnIsAPreemption) {
  const auto preemptions = [](const char* text) { return play(text).result().summary.preemptions; };
  const auto in_turn = preemptions(R"(
    A: point, point
    B: point
    --
    B point
    B ends
    A point
    A point
  )");
  const auto between = preemptions(R"(
    A: point, point
    B: point
    --
    B point
    A point
    A point
    B ends
  )");
  EXPECT_EQ(between, in_turn + 2);
}

TEST(Counts, ASwitchAwayFromWhoWaitsOrYieldsIsNone) {
  const auto preemptions = [](const char* text) { return play(text).result().summary.preemptions; };
  const auto blocked = preemptions(R"(
    A: point, await k
    B: point, open k
    --
    A point
    B point
  )");
  const auto yielding = preemptions(R"(
    A: point, yield
    B: point, open k
    --
    A point
    B point
  )");
  const auto running = preemptions(R"(
    A: point, point
    B: point, open k
    --
    A point
    B point
  )");
  EXPECT_EQ(blocked, yielding);
  EXPECT_EQ(running, blocked + 1);
}

TEST(Counts, OrderHashTellsPartialOrdersApart) {
  const auto hash = [](const char* text) { return play(text).result().summary.order_hash; };
  const auto first_a = hash(R"(
    A: write x 1, point
    B: write x 2, write y 1
    --
    A write x 1
    B write x 2
    B write y 1
    A point
  )");
  const auto first_b = hash(R"(
    A: write x 1, point
    B: write x 2, write y 1
    --
    B write x 2
    A write x 1
    B write y 1
    A point
  )");
  const auto same_as_first_a = hash(R"(
    A: write x 1, point
    B: write x 2, write y 1
    --
    A write x 1
    B write x 2
    A point
    B write y 1
  )");
  EXPECT_NE(first_a, first_b);
  EXPECT_EQ(first_a, same_as_first_a);
}

TEST(Counts, AnExecutionThatIsTooLongIsCut) {
  const Script run = play(R"(
    launch max-steps=50
    A: repeat 100 write x 1
    --
    ...
    cut
  )");
  EXPECT_EQ(run.result().summary.steps, 50U);
  EXPECT_EQ(run.result().findings, 0U);
}

// -- decisions and following them again -------------------------------------------------------------------------------

const char* const kTwoTasks = R"(
    A: write x 1, decide 3
    B: read x, decide 2
    --
    A write x 1
    B read x = 1
    A(choose 2) decide 3 = 2
    B(choose 1) decide 2 = 1
)";

TEST(Decisions, AreWrittenDownAsRuns) {
  const std::vector<DecisionRun> decisions = play(kTwoTasks).decisions();
  std::vector<std::uint32_t> chosen;
  for (const DecisionRun& run : decisions) {
    if (run.kind != DecisionKind::environment) continue;
    EXPECT_EQ(run.detail, EnvironmentKind::choose);
    chosen.push_back(run.value);
  }
  EXPECT_EQ(chosen, (std::vector<std::uint32_t>{2, 1}));
  EXPECT_EQ(decisions.front().kind, DecisionKind::task);
  EXPECT_EQ(decisions.front().value, 0U);  // T0 creates the tasks
}

// Without any word about the schedule: "..." takes tasks in turn, and the environment is quiet.
TEST(Decisions, FollowingThemGivesTheSameExecution) {
  const std::vector<DecisionRun> decisions = play(kTwoTasks).decisions();
  const Script again = play(R"(
    A: write x 1, decide 3
    B: read x, decide 2
    --
    A write x 1
    B read x = 1
    A decide 3 = 2
    B decide 2 = 1
  )",
                            decisions);
  EXPECT_EQ(again.decisions().size(), decisions.size());
}

TEST(Decisions, FollowingStopsWhereTheTaskCannotRun) {
  play(R"(
    A: await k, decide 3
    B: read x, decide 2
    --
    diverged: task not enabled
  )",
       play(kTwoTasks).decisions());
}

TEST(Decisions, FollowingStopsWhereThereIsNoSuchTask) {
  std::vector<DecisionRun> decisions = play(kTwoTasks).decisions();
  decisions.back().kind = DecisionKind::task;
  decisions.back().value = 7;
  play(R"(
    A: write x 1, decide 3
    B: read x, point
    --
    A write x 1
    B read x = 1
    A decide 3 = 2
    B point
    diverged: no such task
  )",
       decisions);
}

TEST(Decisions, FollowingStopsWhereAnotherKindIsAsked) {
  play(R"(
    A: write x 1, point
    B: read x, decide 2
    --
    A write x 1
    B read x = 1
    A point
    diverged: another kind of decision
  )",
       play(kTwoTasks).decisions());
}

TEST(Decisions, FollowingStopsWhereTheChoiceIsNotOffered) {
  play(R"(
    A: write x 1, decide 2
    B: read x, decide 2
    --
    A write x 1
    B read x = 1
    A decide 2 ...
    diverged: choice out of range
  )",
       play(kTwoTasks).decisions());
}

// -- stores that a load can see ---------------------------------------------------------------------------------------

const char* const kPicks = R"(
    A: pick w 3, pick x 1, pick y 3, pick z 3
    --
    A(store 2) pick w 3 = 2
    A(store 2) pick x 1 = 0
    A pick y 3 = 0
    A(store 2) pick z 3 = 2
)";

TEST(Stores, OnlyOldOnesAreRecorded) {
  int recorded = 0;
  for (const DecisionRun& run : play(kPicks).decisions()) recorded += run.kind == DecisionKind::reads_from ? 1 : 0;
  EXPECT_EQ(recorded, 2);
}

TEST(Stores, AreTakenAgainWhereTheyWereTaken) {
  play(R"(
    A: pick w 3, pick x 1, pick y 3, pick z 3
    --
    A(store 1) pick w 3 = 2
    A(store 1) pick x 1 = 0
    A(store 1) pick y 3 = 0
    A(store 1) pick z 3 = 2
  )",
       play(kPicks).decisions());
}

TEST(Stores, FollowingStopsWhereTheStoreIsNotOffered) {
  std::vector<DecisionRun> decisions = play(kPicks).decisions();
  for (DecisionRun& run : decisions) {
    if (run.kind == DecisionKind::reads_from) run.value = 3;
  }
  play(R"(
    A: pick w 3, pick x 1, pick y 3, pick z 3
    --
    A pick w 3 ...
    diverged: choice out of range
  )",
       decisions);
}

TEST(Stores, FollowingStopsWhereNobodyAsksForAStore) {
  play(R"(
    A: pick w 1, pick x 1
    --
    A pick w 1 = 0
    diverged: another kind of decision
  )",
       play(kPicks).decisions());
}

TEST(Sections, AreOneStep) {
  play(R"(
    A: read x, set_both x y
    B: read x, read y
    --
    A read x = 0      | A B
    B read x = 0      | A B
    A set_both x y    | A B
    B read y = 1      | A B
  )");
}

}  // namespace
}  // namespace ravel::test

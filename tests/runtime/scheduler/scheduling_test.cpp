// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "script.h"

namespace ravel::test {
namespace {

TEST(MutexScheduling, WaiterBecomesEnabledOnlyAfterUnlock) {
  Script run({"A: lock m, unlock m", "B: lock m"});
  EXPECT_EQ(run.enabled(), tasks("A", "B"));
  run.step("A");
  EXPECT_EQ(run.enabled(), tasks("A"));
  run.step("A");
  EXPECT_EQ(run.enabled(), tasks("A", "B"));
}

TEST(MutexScheduling, OnlyOneOfTwoWaitersGetsTheMutex) {
  Script run({"A: lock m, unlock m", "B: lock m, unlock m", "C: lock m, unlock m"});
  run.step("A");
  run.step("A");
  EXPECT_EQ(run.enabled(), tasks("A", "B", "C"));
  run.step("C");
  EXPECT_EQ(run.enabled(), tasks("A", "C"));
}

TEST(TaskLife, ATaskEndsAfterItsLastOperation) {
  Script run({"A: write x=1"});
  run.step("A");
  EXPECT_FALSE(run.ended("A"));  // at its end, which is a step of its own
  run.step("A");
  EXPECT_TRUE(run.ended("A"));
  EXPECT_EQ(run.object("x").value, 1U);
}

TEST(Spin, ALoopOfUnchangedReadsWaitsForAWrite) {
  Script run({"A: spin x", "B: write x=1"});
  for (int i = 0; i < 2; ++i) run.step("A");  // the second repetition makes it spinning (spin_power 1)
  EXPECT_EQ(run.enabled(), tasks("B"));
  run.step("B");
  EXPECT_EQ(run.enabled(), tasks("A", "B"));
  run.step("A");
  EXPECT_EQ(run.log().back(), "A spin x -> go");
}

TEST(Spin, AWriteElsewhereDoesNotWakeTheLoop) {
  Script run({"A: spin x", "B: write y=1"});
  for (int i = 0; i < 2; ++i) run.step("A");
  run.step("B");
  EXPECT_EQ(run.enabled(), tasks("B"));
}

TEST(Steps, AreCountedAndLoggedAsRuns) {
  Script run({"A: write x=1, write x=2, write x=3"});
  const std::uint64_t before = run.channel().result.summary.steps;
  run.step("A");
  run.step("A");
  // Each step() is one step of T0 (its yield) handing over, and one of A.
  EXPECT_EQ(run.channel().result.summary.steps - before, 4U);
  const auto& summary = run.channel().result.summary;
  const DecisionRun& last = run.channel().result.decision[summary.decision_runs - 1];
  EXPECT_EQ(last.kind, DecisionKind::task);
  EXPECT_EQ(last.value, 0U);
}

std::vector<DecisionRun> decisions_of(const Script& run) {
  return {run.channel().result.decision, run.channel().result.decision + run.channel().result.summary.decision_runs};
}

const std::vector<std::string> kPicks = {"A: pick w=3, pick x=1, pick y=3, pick z=3"};

// A pick of store 2 among 3, one without a choice, one of the newest, one of store 2.
std::vector<DecisionRun> picked() {
  Script run(kPicks);
  Script::answer_stores(2);
  for (int i = 0; i < 2; ++i) run.step("A");
  Script::answer_stores(0);
  run.step("A");
  Script::answer_stores(2);
  run.step("A");
  EXPECT_EQ(run.log(), (std::vector<std::string>{"A pick w -> 2", "A pick x -> 0", "A pick y -> 0", "A pick z -> 2"}));
  return decisions_of(run);
}

TEST(Stores, OnlyOldOnesAreRecorded) {
  int recorded = 0;
  for (const DecisionRun& run : picked()) recorded += run.kind == DecisionKind::reads_from ? 1 : 0;
  EXPECT_EQ(recorded, 2);
}

TEST(Stores, ReplayTakesThemWhereTheyWereTaken) {
  Script::replay(picked());
  Script run(kPicks);
  Script::answer_stores(1);  // is not asked
  for (int i = 0; i < 4; ++i) run.step("A");
  EXPECT_EQ(run.log(), (std::vector<std::string>{"A pick w -> 2", "A pick x -> 0", "A pick y -> 0", "A pick z -> 2"}));
}

TEST(Stores, ReplayStopsWhereTheStoreIsNotOffered) {
  std::vector<DecisionRun> decisions = picked();
  for (DecisionRun& run : decisions) {
    if (run.kind == DecisionKind::reads_from) run.value = 3;
  }
  Script::replay(decisions);
  Script run(kPicks);
  const Channel& channel = run.channel();
  EXPECT_EXIT(run.step("A"), testing::ExitedWithCode(0), "");
  EXPECT_EQ(channel.result.summary.outcome, Outcome::diverged);
  EXPECT_EQ(channel.result.summary.divergence.reason,
            static_cast<std::uint32_t>(DivergenceReason::choice_out_of_range));
}

TEST(Stores, ReplayStopsWhereNobodyAsksForAStore) {
  std::vector<DecisionRun> decisions = picked();
  Script::replay(decisions);
  Script run({"A: pick w=1, pick x=1"});
  const Channel& channel = run.channel();
  EXPECT_EXIT(run.step("A"), testing::ExitedWithCode(0), "");
  EXPECT_EQ(channel.result.summary.outcome, Outcome::diverged);
  EXPECT_EQ(channel.result.summary.divergence.reason,
            static_cast<std::uint32_t>(DivergenceReason::decision_kind_differs));
}

// What is in memory does not change, but the task has not seen it yet.
TEST(Stores, ATaskThatSeesOldStoresIsNotSpinning) {
  Script run({"A: pick x=2, pick x=2, pick x=2, pick x=2, pick x=2, pick x=2, pick x=2", "B: read y"});
  Script::answer_stores(1);
  for (int i = 0; i < 4; ++i) run.step("A");
  EXPECT_EQ(run.enabled(), tasks("A", "B"));
  Script::answer_stores(0);
  for (int i = 0; i < 2; ++i) run.step("A");
  EXPECT_EQ(run.enabled(), tasks("B")) << "now it has seen the newest, again and again";
}

TEST(Deadlock, ALockCycleIsFoundAtOnceAlthoughOthersCouldRun) {
  // In a child: a deadlock ends the process. The finding is in memory shared with it.
  Script run({"A: lock m, lock n", "B: lock n, lock m", "C: write x=1"});
  run.step("A");  // A has m and is about to take n
  const Channel& channel = run.channel();
  EXPECT_EXIT(run.step("B"), testing::ExitedWithCode(0), "");
  ASSERT_EQ(channel.result.findings, 1U);
  EXPECT_EQ(channel.result.finding[0].kind, FindingKind::deadlock);
  EXPECT_EQ(channel.result.finding[0].participants, 2);
  EXPECT_EQ(channel.result.summary.outcome, Outcome::stopped);
}

}  // namespace
}  // namespace ravel::test

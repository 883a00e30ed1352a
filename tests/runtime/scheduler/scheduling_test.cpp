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
  const std::uint64_t before = run.channel().summary.steps;
  run.step("A");
  run.step("A");
  // Each step() is one step of T0 (its yield) handing over, and one of A.
  EXPECT_EQ(run.channel().summary.steps - before, 4U);
  const auto& summary = run.channel().summary;
  const DecisionRun& last = run.channel().decision[summary.decision_runs - 1];
  EXPECT_EQ(last.kind, DecisionKind::task);
  EXPECT_EQ(last.value, 0U);
}

TEST(Deadlock, ALockCycleIsFoundAtOnceAlthoughOthersCouldRun) {
  // In a child: a deadlock ends the process. The finding is in memory shared with it.
  Script run({"A: lock m, lock n", "B: lock n, lock m", "C: write x=1"});
  run.step("A");  // A has m and is about to take n
  const Channel& channel = run.channel();
  EXPECT_EXIT(run.step("B"), testing::ExitedWithCode(0), "");
  ASSERT_EQ(channel.findings, 1U);
  EXPECT_EQ(channel.finding[0].kind, FindingKind::deadlock);
  EXPECT_EQ(channel.finding[0].participants, 2);
  EXPECT_EQ(channel.summary.outcome, Outcome::stopped);
}

}  // namespace
}  // namespace ravel::test

// SPDX-License-Identifier: Apache-2.0
#include "runtime/recorder/replay_cursor.h"

#include <gtest/gtest.h>

#include <vector>

namespace ravel {
namespace {

DecisionRun steps(TaskId task, std::uint32_t count) { return {DecisionKind::task, {}, 0, task, count}; }
DecisionRun choice(EnvironmentKind kind, std::uint32_t value) { return {DecisionKind::environment, kind, 0, value, 1}; }
DecisionRun store(std::uint32_t value) { return {DecisionKind::reads_from, {}, 0, value, 1}; }

constexpr auto kAll = [](TaskId) { return true; };

class ReplayCursorTest : public ::testing::Test {
 protected:
  void follow(std::vector<DecisionRun> prefix) {
    prefix_ = std::move(prefix);
    cursor_.begin(prefix_);
  }
  void expect_divergence(const ReplayCursor::Answer& answer, DivergenceReason reason, TaskId expected) {
    EXPECT_EQ(answer.reason, reason);
    EXPECT_EQ(answer.expected, expected);
    EXPECT_TRUE(cursor_.active()) << "what does not fit is not consumed";
  }

  std::vector<DecisionRun> prefix_;
  ReplayCursor cursor_;
};

TEST_F(ReplayCursorTest, AnEmptyPrefixLeavesEverythingToTheChooser) {
  follow({});
  EXPECT_FALSE(cursor_.active());
}

TEST_F(ReplayCursorTest, ARunIsHandedOutStepByStep) {
  follow({steps(2, 3), steps(0, 1)});
  for (const TaskId task : {2U, 2U, 2U, 0U}) {
    ASSERT_TRUE(cursor_.active());
    const ReplayCursor::Answer answer = cursor_.next_task(3, kAll);
    EXPECT_EQ(answer.reason, DivergenceReason::none);
    EXPECT_EQ(answer.value, task);
  }
  EXPECT_FALSE(cursor_.active());
}

TEST_F(ReplayCursorTest, ChoicesComeWhereTheyWereMade) {
  follow({steps(0, 1), choice(EnvironmentKind::spurious_wakeup, 1), store(2), steps(1, 1)});
  EXPECT_EQ(cursor_.next_task(2, kAll).value, 0U);
  EXPECT_EQ(cursor_.next_environment(EnvironmentKind::spurious_wakeup, 2).value, 1U);
  EXPECT_EQ(cursor_.next_store(0, 3).value, 2U);
  EXPECT_EQ(cursor_.next_task(2, kAll).value, 1U);
  EXPECT_FALSE(cursor_.active());
}

TEST_F(ReplayCursorTest, AStoreThatIsNotListedIsTheNewest) {
  follow({steps(1, 1)});
  const ReplayCursor::Answer answer = cursor_.next_store(0, 3);
  EXPECT_EQ(answer.reason, DivergenceReason::none);
  EXPECT_EQ(answer.value, 0U);
  EXPECT_EQ(cursor_.next_task(2, kAll).value, 1U) << "the step after it is still to come";
}

TEST_F(ReplayCursorTest, ATaskThatDoesNotExistDiverges) {
  follow({steps(5, 1)});
  expect_divergence(cursor_.next_task(3, kAll), DivergenceReason::no_such_task, 5);
}

TEST_F(ReplayCursorTest, ATaskThatCannotRunDiverges) {
  follow({steps(1, 1)});
  expect_divergence(cursor_.next_task(3, [](TaskId task) { return task != 1; }), DivergenceReason::task_not_enabled, 1);
}

TEST_F(ReplayCursorTest, AnotherKindOfDecisionDiverges) {
  follow({choice(EnvironmentKind::spurious_wakeup, 1)});
  expect_divergence(cursor_.next_task(3, kAll), DivergenceReason::decision_kind_differs, kNoTask);
  expect_divergence(cursor_.next_environment(EnvironmentKind::early_timeout, 2),
                    DivergenceReason::decision_kind_differs, kNoTask);
  follow({steps(1, 1)});
  expect_divergence(cursor_.next_environment(EnvironmentKind::early_timeout, 2),
                    DivergenceReason::decision_kind_differs, 1);
}

TEST_F(ReplayCursorTest, AChoiceThatIsNotOfferedDiverges) {
  follow({choice(EnvironmentKind::spurious_wakeup, 2)});
  expect_divergence(cursor_.next_environment(EnvironmentKind::spurious_wakeup, 2),
                    DivergenceReason::choice_out_of_range, kNoTask);
  follow({store(3)});
  expect_divergence(cursor_.next_store(7, 3), DivergenceReason::choice_out_of_range, 7);
}

}  // namespace
}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
// What code that nobody sees into could have ordered: each chain beside what it must not explain.
#include "runtime/memory/hidden_order.h"

#include <gtest/gtest.h>

namespace ravel {
namespace {

constexpr std::uint32_t kLibrary = 0;
constexpr std::uint32_t kOther = 1;
constexpr std::uint64_t kLock = 0x1000;

// T0 and three children that know of each other only what a test tells them.
class HiddenOrderTest : public ::testing::Test {
 protected:
  void SetUp() override {
    order_.prepare();
    hidden_.prepare(order_);
    for (TaskId task = 1; task <= 3; ++task) order_.task_created(task, 0);
  }

  Epoch act(TaskId task) { return order_.now(task); }
  void pass(TaskId task, std::uint32_t object = kLibrary) { hidden_.pass(task, std::uint64_t{1} << object, object); }
  void hand_over(TaskId from, TaskId to) {
    order_.release_store(from, kLock);
    order_.acquire(to, kLock);
  }
  std::uint32_t explained(Epoch earlier, TaskId later) {
    hidden_.look(later);
    return hidden_.known_by(earlier);
  }

  HappensBefore order_;
  HiddenOrder hidden_;
};

TEST_F(HiddenOrderTest, BothPassingInTurnMayBeOrdered) {
  const Epoch before = act(1);
  pass(1);
  pass(2);
  EXPECT_EQ(explained(before, 2), kLibrary);
  EXPECT_FALSE(order_.before(before, 2)) << "it is not visible order";
}

TEST_F(HiddenOrderTest, NotTheOtherWayRound) {
  const Epoch second = act(2);
  pass(1);
  pass(2);
  EXPECT_EQ(explained(second, 1), HiddenOrder::kNone);
}

TEST_F(HiddenOrderTest, WhatIsDoneAfterThePassageIsNotReleased) {
  pass(1);
  const Epoch after = act(1);
  pass(2);
  EXPECT_EQ(explained(after, 2), HiddenOrder::kNone);
}

TEST_F(HiddenOrderTest, WhoHasNotPassedLearnsNothing) {
  const Epoch before = act(1);
  pass(2);
  pass(1);
  EXPECT_EQ(explained(before, 2), HiddenOrder::kNone) << "T2 was there before";
  EXPECT_EQ(explained(before, 3), HiddenOrder::kNone) << "T3 was never there";
}

TEST_F(HiddenOrderTest, OtherCodeOrdersNothing) {
  const Epoch before = act(1);
  pass(1, kLibrary);
  pass(2, kOther);
  EXPECT_EQ(explained(before, 2), HiddenOrder::kNone);
}

TEST_F(HiddenOrderTest, OrderGoesOnThroughOthers) {
  const Epoch before = act(1);
  pass(1, kLibrary);
  pass(2, kLibrary);
  pass(2, kOther);
  pass(3, kOther);
  EXPECT_NE(explained(before, 3), HiddenOrder::kNone);
}

TEST_F(HiddenOrderTest, OrderGoesOnThroughVisibleOrder) {
  const Epoch first = act(1);
  hand_over(1, 2);
  pass(2);
  pass(3);
  EXPECT_EQ(explained(first, 3), kLibrary) << "visible, then hidden";
  const Epoch second = act(2);
  pass(2);
  pass(3);
  hand_over(3, 1);
  EXPECT_EQ(explained(second, 1), kLibrary) << "hidden, then visible";
}

TEST_F(HiddenOrderTest, WhatSomebodyLearnedLaterIsNotHandedOver) {
  const Epoch before = act(1);
  hand_over(2, 3);
  pass(1);
  pass(2);
  EXPECT_EQ(explained(before, 3), HiddenOrder::kNone) << "T3 knows T2 as it was before it could know T1";
}

TEST_F(HiddenOrderTest, AcquiringAloneReleasesNothing) {
  const Epoch second = act(2);
  const Epoch first = act(1);
  pass(1);
  hidden_.acquire(2, 1, kLibrary);
  hidden_.acquire(3, 1, kLibrary);
  EXPECT_EQ(explained(first, 2), kLibrary);
  EXPECT_EQ(explained(second, 3), HiddenOrder::kNone);
}

TEST_F(HiddenOrderTest, AnInstructionMayLearnAllThatOthersWhoWereThereDidSince) {
  hidden_.pass_instruction(1, kLibrary);
  const Epoch first = act(1);
  const Epoch third = act(3);
  hidden_.pass_instruction(2, kOther);
  EXPECT_EQ(explained(first, 2), kOther) << "the one that learned it is named";
  EXPECT_EQ(explained(act(1), 2), HiddenOrder::kNone) << "what comes later";
  EXPECT_EQ(explained(third, 2), HiddenOrder::kNone) << "T3 was at no such instruction";
}

TEST_F(HiddenOrderTest, AnUnseenWriteMayBeAnybodys) {
  const Epoch first = act(1);
  hidden_.learn_everything(2);
  EXPECT_EQ(explained(first, 2), HiddenOrder::kUnseenWrite);
  EXPECT_EQ(explained(act(1), 2), HiddenOrder::kNone);
}

TEST_F(HiddenOrderTest, TheCodeThatWasEnteredIsNamedNotWhatItUses) {
  const Epoch before = act(1);
  const std::uint64_t both = (1U << kLibrary) | (1U << kOther);
  hidden_.pass(1, both, kOther);
  hidden_.pass(2, both, kOther);
  EXPECT_EQ(explained(before, 2), kOther);
}

TEST_F(HiddenOrderTest, TheCodeWhereItWasLearnedIsNamedNotALaterOne) {
  const Epoch before = act(1);
  pass(1, kLibrary);
  pass(2, kLibrary);
  pass(3, kOther);
  pass(2, kOther);
  EXPECT_EQ(explained(before, 2), kLibrary);
}

TEST_F(HiddenOrderTest, ManyPassagesInTurnAreAllRemembered) {
  for (int round = 0; round < 1000; ++round) {
    const Epoch before = act(1);
    pass(1);
    const Epoch after = act(1);
    pass(2);
    ASSERT_EQ(explained(before, 2), kLibrary);
    ASSERT_EQ(explained(after, 2), HiddenOrder::kNone);
  }
}

}  // namespace
}  // namespace ravel

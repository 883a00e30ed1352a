// SPDX-License-Identifier: Apache-2.0
// Which lock cycles are reported: each kind of cycle, and what rules it out.
#include "driver/campaign/lock_order.h"

#include <gtest/gtest.h>

namespace ravel {
namespace {

constexpr std::uint64_t kA = 0x1000;
constexpr std::uint64_t kB = 0x2000;
constexpr std::uint64_t kC = 0x3000;
constexpr std::uint64_t kGate = 0x4000;

// `task` wants `wanted` while holding `held`; the places follow from the locks.
LockEdge edge(TaskId task, std::uint64_t held, std::uint64_t wanted) {
  LockEdge result;
  result.task = task;
  result.held = held;
  result.wanted = wanted;
  result.held_pc[0] = held + 1;
  result.wanted_pc[0] = wanted + 2;
  return result;
}

ResolvedStack chain(TaskId task, const char* function, std::uint32_t line) {
  ResolvedStack stack;
  stack.task = task;
  stack.kind = OperationKind::mutex_lock;
  stack.blocked = true;
  Frame frame;
  frame.function = function;
  frame.file = "bank.cpp";
  frame.line = line;
  stack.frames = {frame};
  return stack;
}

PotentialDeadlock words(const char* signature = "0123456789abcdef") {
  PotentialDeadlock result;
  result.chains = {chain(1, "pay", 10), chain(2, "audit", 20)};
  result.signature = signature;
  return result;
}

// The locks above are globals.
std::vector<LockOrder::Cycle> learn(LockOrder& order, const std::vector<LockEdge>& edges, std::uint64_t end = 0x9000) {
  ModuleRecord module;
  module.start = 0x1000;
  module.end = end;
  return order.learn(edges, std::span(&module, 1));
}

std::size_t cycles_of(const std::vector<LockEdge>& edges) {
  LockOrder order;
  return learn(order, edges).size();
}

TEST(LockOrder, TwoTasksInOppositeOrder) {
  LockOrder order;
  const auto cycles = learn(order, {edge(1, kA, kB), edge(2, kB, kA)});
  ASSERT_EQ(cycles.size(), 1U);
  ASSERT_EQ(cycles[0].edges.size(), 2U);
  EXPECT_EQ(cycles[0].edges[0].wanted, cycles[0].edges[1].held);
  EXPECT_EQ(cycles[0].edges[1].wanted, cycles[0].edges[0].held);
}

TEST(LockOrder, SameOrderIsNoCycle) { EXPECT_EQ(cycles_of({edge(1, kA, kB), edge(2, kA, kB)}), 0U); }

TEST(LockOrder, OneTaskIsNoCycle) { EXPECT_EQ(cycles_of({edge(1, kA, kB), edge(1, kB, kA)}), 0U); }

TEST(LockOrder, ThreeInACycle) {
  EXPECT_EQ(cycles_of({edge(1, kA, kB), edge(2, kB, kC), edge(3, kC, kA)}), 1U);
  EXPECT_EQ(cycles_of({edge(1, kA, kB), edge(2, kB, kC), edge(1, kC, kA)}), 0U);
}

TEST(LockOrder, CommonGateRulesItOut) {
  LockEdge first = edge(1, kA, kB);
  LockEdge second = edge(2, kB, kA);
  first.gate[0] = kGate;
  EXPECT_EQ(cycles_of({first, second}), 1U) << "held by one of them only";
  second.gate[0] = kGate;
  EXPECT_EQ(cycles_of({first, second}), 0U);
  second.gate[0] = kGate | 1;
  EXPECT_EQ(cycles_of({first, second}), 0U) << "a reader and a writer exclude each other";
  first.gate[0] = kGate | 1;
  EXPECT_EQ(cycles_of({first, second}), 1U) << "two readers do not";
}

TEST(LockOrder, ReadersDoNotBlockEachOther) {
  LockEdge first = edge(1, kA, kB);
  LockEdge second = edge(2, kB, kA);
  first.wanted_kind = OperationKind::rwlock_read_lock;
  EXPECT_EQ(cycles_of({first, second}), 1U) << "wants to read what is held alone";
  second.held_shared = 1;
  EXPECT_EQ(cycles_of({first, second}), 0U);
}

TEST(LockOrder, AnotherLockAtTheSameAddressIsAnotherLock) {
  LockEdge second = edge(2, kB, kA);
  second.held_serial = 1;
  second.wanted_serial = 1;
  EXPECT_EQ(cycles_of({edge(1, kA, kB), second}), 0U);
}

TEST(LockOrder, OrderOfTasksRulesItOut) {
  LockEdge second = edge(2, kB, kA);
  second.after[0] = 1;
  EXPECT_EQ(cycles_of({edge(1, kA, kB), second}), 0U);
}

// Each execution takes one branch: only together do they form the cycle.
TEST(LockOrder, EdgesOfDifferentExecutions) {
  LockOrder order;
  EXPECT_TRUE(learn(order, {edge(1, kA, kB)}).empty());
  EXPECT_EQ(learn(order, {edge(2, kB, kA)}).size(), 1U);
}

// A heap address may belong to another object in the next execution.
TEST(LockOrder, LocksOnTheHeapAreOfOneExecution) {
  constexpr std::uint64_t kOnlyA = 0x1800;
  LockOrder order;
  EXPECT_TRUE(learn(order, {edge(1, kA, kB)}, kOnlyA).empty());
  EXPECT_TRUE(learn(order, {edge(2, kB, kA)}, kOnlyA).empty());
  EXPECT_EQ(learn(order, {edge(1, kA, kB), edge(2, kB, kA)}, kOnlyA).size(), 1U);
}

TEST(LockOrder, IsWithdrawnWhenBothAreSeenInOrder) {
  LockOrder order;
  learn(order, {edge(1, kA, kB)});
  const auto cycles = learn(order, {edge(2, kB, kA)});
  ASSERT_EQ(cycles.size(), 1U);
  order.describe(cycles[0].number, words());
  LockEdge second = edge(2, kB, kA);
  second.after[0] = 1;
  learn(order, {edge(1, kA, kB), second});
  EXPECT_TRUE(order.take().empty());
}

TEST(LockOrder, IsToldOncePerSetOfPlaces) {
  LockOrder order;
  EXPECT_EQ(learn(order, {edge(1, kA, kB), edge(2, kB, kA)}).size(), 1U);
  EXPECT_EQ(learn(order, {edge(3, kA, kB), edge(4, kB, kA)}).size(), 0U);
  LockEdge elsewhere = edge(2, kB, kA);
  elsewhere.wanted_pc[0] = 77;
  EXPECT_EQ(learn(order, {edge(1, kA, kB), elsewhere}).size(), 1U);
}

TEST(LockOrder, SteersUntilItHappensOrTriesRunOut) {
  LockOrder order;
  Plan plan;
  EXPECT_FALSE(order.steer(plan));
  const auto cycles = learn(order, {edge(1, kA, kB), edge(2, kB, kA)});
  order.describe(cycles.at(0).number, words());
  unsigned tries = 0;
  while (order.steer(plan)) {
    ASSERT_LE(++tries, 100U);
    EXPECT_TRUE(plan.steers());
    EXPECT_EQ(plan.hold[0], (LockHold{kA, kB}));
    EXPECT_EQ(plan.hold[1], (LockHold{kB, kA}));
    EXPECT_EQ(plan.hold[2], LockHold{});
  }
  EXPECT_GT(tries, 10U);
  const auto told = order.take();
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0].steered, tries);
}

TEST(LockOrder, IsDroppedWhenItHappened) {
  for (const bool same_places : {true, false}) {
    LockOrder order;
    const auto cycles = learn(order, {edge(1, kA, kB), edge(2, kB, kA)});
    order.describe(cycles.at(0).number, words());
    ResolvedFinding deadlock;
    deadlock.kind = FindingKind::deadlock;
    deadlock.stacks = {chain(2, "audit", 20), chain(1, "pay", same_places ? 10 : 11)};
    order.happened(deadlock);
    Plan plan;
    EXPECT_EQ(order.steer(plan), !same_places);
    EXPECT_EQ(order.take().size(), same_places ? 0U : 1U);
  }
}

TEST(LockOrder, DismissedCyclesAreNeitherToldNorTried) {
  LockOrder order;
  const auto cycles = learn(order, {edge(1, kA, kB), edge(2, kB, kA)});
  order.dismiss(cycles.at(0).number);
  Plan plan;
  EXPECT_FALSE(order.steer(plan));
  EXPECT_TRUE(order.take().empty());
}

}  // namespace
}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
#include "driver/pin/failing_order.h"

#include <gtest/gtest.h>

namespace ravel {
namespace {

OrderedStep step(TaskId task, OperationKind kind, unsigned line, std::uint64_t object = 0) {
  OrderedStep result{task, kind, object, line, {}, true};
  if (line != 0) result.places.push_back({"/src/a.cpp", line, 1, "f", true, "g"});
  return result;
}

TEST(FailingOrder, FunctionsHaveBareNames) {
  EXPECT_EQ(bare_function_name("std::lock_guard<std::mutex>::lock_guard(std::mutex&)"), "lock_guard");
  EXPECT_EQ(bare_function_name("void std::vector<int, std::allocator<int> >::emplace_back<int>(int&&)"),
            "emplace_back");
  EXPECT_EQ(bare_function_name("(anonymous namespace)::Queue::take()"), "take");
  EXPECT_EQ(bare_function_name("deposit(Account&, int)"), "deposit");
  EXPECT_EQ(bare_function_name("sem_wait"), "sem_wait");
}

TEST(FailingOrder, EverySwitchIsAPrecedence) {
  FailingOrder order;
  order.steps = {step(1, OperationKind::read, 10), step(2, OperationKind::read, 10), step(2, OperationKind::write, 11),
                 step(1, OperationKind::write, 11)};
  EXPECT_EQ(precedences_of(order), (std::vector<Precedence>{{0, 1, false}, {2, 3, false}}));
}

TEST(FailingOrder, CreationAndJoinNeedNoForce) {
  FailingOrder order;
  order.steps = {step(0, OperationKind::task_create, 5, 1), step(1, OperationKind::task_start, 0),
                 step(1, OperationKind::write, 10), step(1, OperationKind::task_end, 0),
                 step(0, OperationKind::task_join, 6, 1)};
  EXPECT_TRUE(precedences_of(order).empty());
}

TEST(FailingOrder, WhatCameFirstByChanceIsAPrecedenceEvenBetweenCreationAndStart) {
  FailingOrder order;  // the first task is created, but the second one, created later, runs first
  order.steps = {step(0, OperationKind::task_create, 5, 1), step(0, OperationKind::task_create, 6, 2),
                 step(2, OperationKind::write, 10), step(1, OperationKind::write, 11)};
  EXPECT_EQ(precedences_of(order), (std::vector<Precedence>{{2, 3, false}}));
}

TEST(FailingOrder, WhoHadMoreToDoIsHeldBackUntilTheFailure) {
  FailingOrder order;
  order.steps = {step(0, OperationKind::task_create, 5, 1), step(1, OperationKind::atomic_load, 10)};
  order.unfinished = {0, 1};
  EXPECT_EQ(precedences_of(order), (std::vector<Precedence>{{1, 0, true}}));
}

TEST(FailingOrder, WhatNobodyElseCouldNoticeSwitchesNothing) {
  FailingOrder order;
  order.steps = {step(1, OperationKind::write, 10), step(2, OperationKind::read, 20),
                 step(1, OperationKind::write, 11)};
  order.steps[1].matters = false;
  EXPECT_TRUE(precedences_of(order).empty());
}

TEST(FailingOrder, StepsOutsideOfTheSourcesSwitchNothing) {
  FailingOrder order;
  order.steps = {step(1, OperationKind::write, 10), step(2, OperationKind::task_start, 0),
                 step(1, OperationKind::write, 11)};
  EXPECT_TRUE(precedences_of(order).empty());
}

}  // namespace
}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
#include "runtime/recorder/order_hash.h"

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <vector>

namespace ravel {
namespace {

constexpr std::uint64_t kX = 0x1000;
constexpr std::uint64_t kY = 0x2000;

Operation on(TaskId task, OperationKind kind, std::uint64_t object) {
  Operation operation;
  operation.task = task;
  operation.kind = kind;
  operation.object = object;
  operation.pc = 0x400 + task;
  return operation;
}
Operation read(TaskId task, std::uint64_t object) { return on(task, OperationKind::read, object); }
Operation write(TaskId task, std::uint64_t object) { return on(task, OperationKind::write, object); }

std::uint64_t hash_of(const std::vector<Operation>& steps) {
  const auto order = std::make_unique<OrderHash>(OrderHash{});
  std::map<TaskId, std::uint64_t> history;
  std::uint64_t sum = 0;
  for (const Operation& step : steps) sum += order->step(step, history[step.task]);
  return sum;
}

TEST(OrderHash, StepsOnDifferentObjectsMayComeInAnyOrder) {
  EXPECT_EQ(hash_of({write(1, kX), write(2, kY)}), hash_of({write(2, kY), write(1, kX)}));
}

TEST(OrderHash, ReadersOfOneObjectMayComeInAnyOrder) {
  EXPECT_EQ(hash_of({write(0, kX), read(1, kX), read(2, kX), write(3, kX)}),
            hash_of({write(0, kX), read(2, kX), read(1, kX), write(3, kX)}));
}

TEST(OrderHash, ConflictingStepsMayNot) {
  EXPECT_NE(hash_of({write(1, kX), write(2, kX)}), hash_of({write(2, kX), write(1, kX)}));
  EXPECT_NE(hash_of({read(1, kX), write(2, kX)}), hash_of({write(2, kX), read(1, kX)}));
}

TEST(OrderHash, WhatFollowsDependsOnWhatCameBefore) {
  EXPECT_NE(hash_of({write(1, kX), read(2, kX), write(2, kY), read(3, kY)}),
            hash_of({read(2, kX), write(1, kX), write(2, kY), read(3, kY)}));
}

TEST(OrderHash, StepsThatConflictWithNothingMayComeAnywhere) {
  const Operation fence = on(2, OperationKind::fence, kX);
  EXPECT_EQ(hash_of({write(1, kX), fence}), hash_of({fence, write(1, kX)}));
}

}  // namespace
}  // namespace ravel

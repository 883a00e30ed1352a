// SPDX-License-Identifier: Apache-2.0
#include "runtime/interpose/held_locks.h"

#include <gtest/gtest.h>

#include <memory>

namespace ravel {
namespace {

TEST(HeldLocks, RemembersLocksAndWhereTheyWereTaken) {
  auto task = std::make_unique<Task>();
  task->shadow.push(0x11);
  task->shadow.push(0x22);
  add_held_lock(*task, 0x1000, 0x33);
  EXPECT_TRUE(holds_lock(*task, 0x1000));
  EXPECT_EQ(task->held.pc[0][0], 0x33U);
  EXPECT_EQ(task->held.pc[0][1], 0x22U);
  EXPECT_EQ(task->held.pc[0][2], 0x11U);
  EXPECT_EQ(task->held.pc[0][3], 0U);
  remove_held_lock(*task, 0x1000);
  EXPECT_FALSE(holds_lock(*task, 0x1000));
  EXPECT_EQ(task->held.count, 0U);
}

TEST(HeldLocks, RemovesTheNewestOfEqualOnesAndKeepsTheOrder) {
  auto task = std::make_unique<Task>();
  task->shadow.push(1);
  for (std::uint64_t lock : {0x10U, 0x20U, 0x10U, 0x30U}) add_held_lock(*task, lock, 5);
  remove_held_lock(*task, 0x10);
  ASSERT_EQ(task->held.count, 3U);
  EXPECT_EQ(task->held.address[0], 0x10U);
  EXPECT_EQ(task->held.address[1], 0x20U);
  EXPECT_EQ(task->held.address[2], 0x30U);
}

TEST(HeldLocks, BeyondTheCapacityLocksAreCounted) {
  auto task = std::make_unique<Task>();
  task->shadow.push(1);
  for (std::uint64_t i = 1; i <= HeldLocks::kCapacity + 2; ++i) add_held_lock(*task, i * 8, 5);
  EXPECT_EQ(task->held.count, HeldLocks::kCapacity + 2);
  for (std::uint64_t i = HeldLocks::kCapacity + 2; i >= 1; --i) remove_held_lock(*task, i * 8);
  EXPECT_EQ(task->held.count, 0U);
}

TEST(HeldLocks, AForeignLockIsNotRemoved) {
  auto task = std::make_unique<Task>();
  task->shadow.push(1);
  add_held_lock(*task, 0x10, 5);
  remove_held_lock(*task, 0x20);
  EXPECT_EQ(task->held.count, 1U);
}

}  // namespace
}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
#include "runtime/interpose/waiter_queue.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace ravel {
namespace {

constexpr std::uint64_t kCondition = 0x1000;
constexpr std::uint64_t kOther = 0x2000;

class WaiterQueue : public testing::Test {
 protected:
  void SetUp() override {
    for (TaskId id = 0; id < 4; ++id) {
      tasks.push_back(std::make_unique<Task>());
      tasks.back()->id = id;
    }
  }
  void TearDown() override {
    for (auto& task : tasks) dequeue_waiter(*task);
  }
  std::vector<TaskId> waiting(std::uint64_t object) {
    std::vector<TaskId> ids;
    for (Task* task = first_waiter(object); task != nullptr; task = next_waiter(*task)) ids.push_back(task->id);
    return ids;
  }
  std::vector<std::unique_ptr<Task>> tasks;
};

TEST_F(WaiterQueue, KeepsOrderOfArrivalPerObject) {
  enqueue_waiter(kCondition, *tasks[2]);
  enqueue_waiter(kOther, *tasks[0]);
  enqueue_waiter(kCondition, *tasks[1]);
  EXPECT_EQ(waiting(kCondition), (std::vector<TaskId>{2, 1}));
  EXPECT_EQ(waiting(kOther), (std::vector<TaskId>{0}));
  EXPECT_EQ(count_waiters(kCondition), 2U);
}

TEST_F(WaiterQueue, ATaskLeavesFromTheMiddle) {
  for (int i = 0; i < 3; ++i) enqueue_waiter(kCondition, *tasks[i]);
  dequeue_waiter(*tasks[1]);
  dequeue_waiter(*tasks[1]);  // leaving twice is harmless
  EXPECT_EQ(waiting(kCondition), (std::vector<TaskId>{0, 2}));
}

TEST_F(WaiterQueue, NotifyOneTakesExactlyOneOut) {
  enqueue_waiter(kCondition, *tasks[0]);
  enqueue_waiter(kCondition, *tasks[1]);
  EXPECT_TRUE(notify_one_waiter(kCondition));
  EXPECT_TRUE(tasks[0]->primitive.notified);
  EXPECT_FALSE(tasks[1]->primitive.notified);
  EXPECT_EQ(waiting(kCondition), (std::vector<TaskId>{1}));
}

TEST_F(WaiterQueue, NotifyFindsNobodyOnAnotherObject) {
  enqueue_waiter(kOther, *tasks[0]);
  EXPECT_FALSE(notify_one_waiter(kCondition));
  EXPECT_EQ(notify_all_waiters(kCondition), 0U);
  EXPECT_FALSE(tasks[0]->primitive.notified);
}

TEST_F(WaiterQueue, NotifyAllEmptiesTheQueue) {
  for (int i = 0; i < 4; ++i) enqueue_waiter(kCondition, *tasks[i]);
  EXPECT_EQ(notify_all_waiters(kCondition), 4U);
  EXPECT_EQ(first_waiter(kCondition), nullptr);
  for (auto& task : tasks) EXPECT_TRUE(waiter_is_notified(nullptr, *task));
}

TEST_F(WaiterQueue, ANewWaitForgetsTheOldNotification) {
  enqueue_waiter(kCondition, *tasks[0]);
  notify_waiter(*tasks[0]);
  enqueue_waiter(kCondition, *tasks[0]);
  EXPECT_FALSE(tasks[0]->primitive.notified);
}

}  // namespace
}  // namespace ravel

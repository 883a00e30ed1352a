// SPDX-License-Identifier: Apache-2.0
// The structures that keep a scheduling point cheap, each compared with the simple version it replaces.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "base/random.h"
#include "strategies/conflict_groups.h"
#include "strategies/priority_tree.h"
#include "strategies/task_set.h"
#include "strategies/task_table.h"

namespace ravel {
namespace {

constinit TaskSet g_set;
constinit PriorityTree g_tree;
constinit ConflictGroups g_groups;
constinit TaskTable<std::uint64_t> g_table;
constinit TaskTable<std::uint64_t> g_other_table;

TEST(TaskTable, HasAPlaceForEveryTask) {
  const auto& reader = g_table;
  for (TaskId task = 0; task < kMaxTasks; ++task) EXPECT_EQ(reader[task], 0U);
  for (TaskId task = 0; task < kMaxTasks; ++task) {
    g_table[task] = task + 1;
    g_other_table[task] = 2 * task;
  }
  for (TaskId task = 0; task < kMaxTasks; ++task) {
    EXPECT_EQ(reader[task], task + 1U);
    EXPECT_EQ(g_other_table[task], 2U * task);
  }
}

TEST(TaskSet, FindsTheNextMember) {
  Random random(1);
  for (int round = 0; round < 20; ++round) {
    g_set.clear();
    std::set<TaskId> model;
    EXPECT_EQ(g_set.next_after(5), kNoTask);
    const std::uint32_t tasks = round % 2 == 0 ? 100 : kMaxTasks;
    for (int i = 0; i < 2000; ++i) {
      const TaskId task = random.below(tasks);
      if (random.below(3) != 0) {
        g_set.insert(task);
        model.insert(task);
      } else {
        g_set.remove(task);
        model.erase(task);
      }
      const TaskId from = random.below(tasks);
      EXPECT_EQ(g_set.contains(from), model.contains(from));
      if (model.empty()) continue;
      const auto above = model.upper_bound(from);
      ASSERT_EQ(g_set.next_after(from), above != model.end() ? *above : *model.begin());
    }
  }
}

TEST(PriorityTree, KnowsTheHighest) {
  Random random(2);
  for (int round = 0; round < 30; ++round) {
    g_tree.clear();
    const std::uint32_t tasks = round % 3 == 0 ? 5 : round % 3 == 1 ? 70 : 3000;
    std::vector<std::uint64_t> priority(tasks);
    std::vector<bool> enabled(tasks);
    for (int i = 0; i < 3000; ++i) {
      // Tasks appear in order, as in an execution, so that the tree grows while in use.
      const TaskId task = random.below(std::min(tasks, 1 + static_cast<std::uint32_t>(i)));
      if (random.below(2) == 0) {
        priority[task] = 1 + random.next() / 2;
        g_tree.set_priority(task, priority[task]);
      } else if (priority[task] != 0) {
        enabled[task] = random.below(3) != 0;
        g_tree.set_enabled(task, enabled[task]);
      }
      if (i % 7 != 0) continue;
      TaskId highest = kNoTask;
      for (TaskId candidate = 0; candidate < tasks; ++candidate) {
        if (enabled[candidate] && (highest == kNoTask || priority[candidate] > priority[highest])) highest = candidate;
      }
      if (highest != kNoTask) {
        ASSERT_EQ(g_tree.highest(), highest);
      }
    }
  }
}

TEST(ConflictGroups, FindsExactlyTheConflictingOnes) {
  Random random(3);
  for (int round = 0; round < 20; ++round) {
    g_groups.clear();
    constexpr std::uint32_t kTasks = 60;
    std::vector<Operation> pending(kTasks);
    std::vector<GroupId> group(kTasks, kNoTask);  // kNoTask: none
    const auto random_operation = [&](TaskId task) {
      Operation operation;
      operation.task = task;
      operation.kind = static_cast<OperationKind>(random.below(kOperationKinds));
      operation.object = 0x1000 + random.below(400);
      if (is_memory_access(operation.kind)) {
        operation.size = static_cast<std::uint16_t>(random.below(10) == 0 ? random.below(300) : 1U << random.below(5));
      }
      return operation;
    };
    for (int i = 0; i < 2000; ++i) {
      const TaskId task = random.below(kTasks);
      if (group[task] != kNoTask) g_groups.leave(group[task]);
      group[task] = kNoTask;
      pending[task] = random_operation(task);
      if (ConflictGroups::has_group(pending[task]) && random.below(4) != 0) group[task] = g_groups.join(pending[task]);

      const Operation step = random_operation(kTasks);
      std::vector<GroupId> visited;
      g_groups.for_each_conflicting(step, [&](GroupId id) { visited.push_back(id); });
      std::sort(visited.begin(), visited.end());
      ASSERT_EQ(std::adjacent_find(visited.begin(), visited.end()), visited.end()) << "a group was visited twice";
      for (TaskId other = 0; other < kTasks; ++other) {
        if (group[other] == kNoTask) continue;
        ASSERT_EQ(std::binary_search(visited.begin(), visited.end(), group[other]), conflict(pending[other], step));
      }
    }
  }
}

}  // namespace
}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
// PriorityTree: a tournament over the enabled tasks. Changing one priority takes logarithmic time in the number of
// tasks; asking for the highest takes constant time. Of a few tasks the highest is looked for when it is asked for.
// Used by choosers inside the target: no allocation; a zeroed object is an empty tree, so a static one costs nothing
// until touched. Not thread-safe: one task at a time calls in.
//
// Invariants:
//  1. priority 0 means "none"; a task that is disabled or has none never wins.
//  2. With more than kFew tasks, winner_[node] is the task of highest key below that node; of equals, the smaller id.
//  3. Only tasks below capacity_ have anything set.
#pragma once

#include <cstdint>

#include "base/ids.h"
#include "strategies/task_table.h"

namespace ravel {

class PriorityTree {
 public:
  // Clears everything; touches only what was used.
  void clear() {
    for (std::uint32_t i = 0; i < capacity_; ++i) {
      priority_[i] = 0;
      enabled_[i] = false;
      winner_[i] = 0;
    }
    capacity_ = 0;
  }

  std::uint64_t priority(TaskId task) const { return task < capacity_ ? priority_[task] : 0; }
  bool enabled(TaskId task) const { return task < capacity_ && enabled_[task]; }

  void set_priority(TaskId task, std::uint64_t priority) {
    reserve(task);
    priority_[task] = priority;
    if (capacity_ > kFew && enabled_[task]) replay_from(task);
  }

  void set_enabled(TaskId task, bool enabled) {
    reserve(task);
    if (enabled_[task] == enabled) return;
    enabled_[task] = enabled;
    if (capacity_ > kFew) replay_from(task);
  }

  // The enabled task of highest priority. There must be one.
  TaskId highest() const {
    if (capacity_ > kFew) return winner_[1];
    TaskId best = 0;
    for (TaskId task = 1; task < capacity_; ++task) {
      if (key(task) > key(best)) best = task;
    }
    return best;
  }

 private:
  static constexpr std::uint32_t kFewest = 4;
  static constexpr std::uint32_t kFew = 16;

  std::uint64_t key(TaskId task) const { return enabled_[task] ? priority_[task] : 0; }

  // Children of the lowest nodes are the tasks themselves.
  TaskId child(std::uint32_t index) const { return index >= capacity_ ? index - capacity_ : winner_[index]; }

  void play(std::uint32_t node) {
    const TaskId left = child(node * 2);
    const TaskId right = child(node * 2 + 1);
    winner_[node] = static_cast<std::uint16_t>(key(right) > key(left) ? right : left);
  }

  void replay_from(TaskId task) {
    for (std::uint32_t node = (task + capacity_) / 2; node != 0; node /= 2) {
      const TaskId before = winner_[node];
      play(node);
      // Above here only this task's key could matter, and it neither won nor wins.
      if (before != task && winner_[node] == before) break;
    }
  }

  void reserve(TaskId task) {
    if (task < capacity_) return;
    if (capacity_ == 0) capacity_ = kFewest;
    while (capacity_ <= task) capacity_ *= 2;
    if (capacity_ <= kFew) return;
    for (std::uint32_t node = capacity_ - 1; node != 0; --node) play(node);
  }

  static_assert((kMaxTasks & (kMaxTasks - 1)) == 0 && kMaxTasks <= 65536);

  std::uint32_t capacity_ = 0;  // a power of two
  TaskTable<std::uint64_t> priority_;
  TaskTable<bool> enabled_;
  TaskTable<std::uint16_t> winner_;
};

}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
// TaskList: a set of tasks from which any member can be drawn by index; joining and leaving take constant time. Used by
// choosers inside the target: no allocation; a zeroed object is empty. Not thread-safe: one task at a time calls in.
//
// Invariant: where_[task] is one more than the task's index in member_, or 0 when it is not a member.
#pragma once

#include <cstdint>

#include "base/ids.h"
#include "strategies/task_table.h"

namespace ravel {

class TaskList {
 public:
  void clear() {
    while (size_ != 0) where_[member_[--size_]] = 0;
  }

  std::uint32_t size() const { return size_; }
  bool contains(TaskId task) const { return where_[task] != 0; }
  TaskId operator[](std::uint32_t index) const { return member_[index]; }

  void set(TaskId task, bool member) {
    if (contains(task) == member) return;
    if (member) {
      member_[size_++] = static_cast<std::uint16_t>(task);
      where_[task] = size_;
      return;
    }
    const std::uint16_t last = member_[--size_];
    member_[where_[task] - 1] = last;
    where_[last] = where_[task];
    where_[task] = 0;
  }

 private:
  static_assert(kMaxTasks <= 65536);

  std::uint32_t size_ = 0;
  TaskTable<std::uint32_t> where_;
  TaskTable<std::uint16_t> member_;
};

}  // namespace ravel

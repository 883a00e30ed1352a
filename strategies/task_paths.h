// SPDX-License-Identifier: Apache-2.0
// Creation paths: a name for a task that is the same in every execution: "the third task created by the first task
// created by T0". Task ids are assigned in order of creation, which depends on the schedule once several tasks create.
// Planners (driver) compute paths from traces, choosers (target) as tasks appear; both with the functions here.
#pragma once

#include <cstdint>

#include "base/ids.h"
#include "base/random.h"
#include "strategies/task_table.h"

namespace ravel {

inline constexpr std::uint64_t kMainPath = 1;

// The path of the n-th child, n counting from 0. Never 0, which means "any task" where paths are compared.
constexpr std::uint64_t child_path(std::uint64_t creator, std::uint32_t n) {
  const std::uint64_t path = hash_mix(hash_mix(0x70617468, creator), n);
  return path != 0 ? path : 1;
}

// The paths of one execution as a chooser sees it. No allocation; a zeroed object is empty. Not thread-safe.
class TaskPaths {
 public:
  // Clears everything; touches only what was used.
  void clear() {
    for (std::uint32_t i = 0; i < used_; ++i) {
      path_[i] = 0;
      children_[i] = 0;
    }
    used_ = 0;
  }

  bool contains(TaskId task) const { return path_[task] != 0; }
  std::uint64_t path(TaskId task) const { return path_[task]; }

  // A new task. creator: the task that made the latest step, since no other can have created it; kNoTask for a task
  // that existed from the start.
  void add(TaskId task, TaskId creator) {
    if (task >= used_) used_ = task + 1;
    if (task == 0) {
      path_[0] = kMainPath;
      return;
    }
    if (creator == kNoTask || path_[creator] == 0) creator = 0;
    if (path_[creator] == 0) path_[creator] = kMainPath;
    path_[task] = child_path(path_[creator], children_[creator]++);
  }

 private:
  std::uint32_t used_ = 0;
  TaskTable<std::uint64_t> path_;  // 0: not there
  TaskTable<std::uint32_t> children_;
};

}  // namespace ravel

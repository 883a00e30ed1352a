// SPDX-License-Identifier: Apache-2.0
// Unpreempted: a task runs until it blocks, yields or ends; then the next one in order of creation runs, round-robin.
// The default of sequential and dfs. Target half: the ground rules of choosers apply (include/ravel/strategy.h).
#pragma once

#include <ravel/strategy.h>

#include "strategies/task_set.h"

namespace ravel {

class Unpreempted {
 public:
  void begin() {
    enabled_.clear();
    yielding_ = kNoTask;
  }

  void set_enabled(TaskId task, bool enabled) {
    if (enabled) {
      enabled_.insert(task);
    } else {
      enabled_.remove(task);
    }
  }

  void yield(TaskId task) { yielding_ = task; }
  void step() { yielding_ = kNoTask; }

  bool goes_on(const TaskChoice& choice) const { return choice.current_enabled && choice.current != yielding_; }
  TaskId next_after(TaskId task) const { return enabled_.next_after(task); }
  TaskId choose(const TaskChoice& choice) const {
    return goes_on(choice) ? choice.current : next_after(choice.current);
  }
  bool is_enabled(TaskId task) const { return enabled_.contains(task); }

 private:
  TaskSet enabled_;
  TaskId yielding_ = kNoTask;  // who yielded since the last step
};

}  // namespace ravel

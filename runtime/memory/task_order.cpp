// SPDX-License-Identifier: Apache-2.0
#include "runtime/memory/task_order.h"

#include "base/check.h"

namespace ravel {

void TaskOrder::created(TaskId child, TaskId creator) {
  RAVEL_CHECK(child == tasks_ && child < kMaxTasks && creator < child, "tasks are numbered in order of creation");
  creator_[child] = static_cast<std::uint16_t>(creator);
  ++tasks_;
}

void TaskOrder::joined(TaskId task, TaskId joiner) {
  RAVEL_CHECK(task < tasks_ && joiner < tasks_, "only known tasks are joined");
  if (joiner_[task] != 0) return;
  joiner_[task] = static_cast<std::uint16_t>(joiner + 1);
  join_epoch_[task] = static_cast<std::uint16_t>(tasks_);
  if (++joins_ + 1 == tasks_) settled_ = tasks_;
}

bool TaskOrder::before(Stamp stamp, TaskId task) const {
  TaskId who = stamp.task();
  std::uint32_t epoch = stamp.epoch();
  while (true) {
    if (who == task) return true;
    // Creators have smaller ids: climb from `task` until its line meets `who` or has passed it.
    TaskId line = task;
    while (line > who && creator_[line] != who) line = creator_[line];
    if (line > who && epoch <= line) return true;
    // The join that took `who` in is an action of the joiner: is that one ordered? Each round is later in time, so
    // this ends.
    if (joiner_[who] == 0) return false;
    epoch = join_epoch_[who];
    who = joiner_[who] - 1U;
  }
}

}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
#include "runtime/memory/task_order.h"

#include "base/check.h"

namespace ravel {

void TaskOrder::created(TaskId child, TaskId creator) {
  RAVEL_CHECK(child == tasks_ && child < kMaxTasks && creator < child, "tasks are numbered in order of creation");
  lives_[child].creator = static_cast<std::uint16_t>(creator);
  ++tasks_;
}

void TaskOrder::joined(TaskId task, TaskId joiner) {
  RAVEL_CHECK(task < tasks_ && joiner < tasks_, "only known tasks are joined");
  Life& life = lives_[task];
  if (life.joiner != 0) return;
  life.joiner = static_cast<std::uint16_t>(joiner + 1);
  life.join_epoch = static_cast<std::uint16_t>(tasks_);
  if (++joins_ + 1 == tasks_) settled_ = tasks_;
}

bool TaskOrder::before(Stamp stamp, TaskId task) const {
  TaskId who = stamp.task();
  std::uint32_t epoch = stamp.epoch();
  while (true) {
    if (who == task) return true;
    // Creators have smaller ids: climb from `task` to its creators until `who` is reached or passed.
    TaskId line = task;
    while (line > who && lives_[line].creator != who) line = lives_[line].creator;
    if (line > who && epoch <= line) return true;
    // The join of `who` is an action of the joiner: is that one ordered? Each round is later in time, so this ends.
    const Life& life = lives_[who];
    if (life.joiner == 0) return false;
    epoch = life.join_epoch;
    who = life.joiner - 1U;
  }
}

}  // namespace ravel

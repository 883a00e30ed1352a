// SPDX-License-Identifier: Apache-2.0
//
// TaskOrder: which operations are ordered by the creation and joining of tasks alone. What a creator did before it
// created a task comes before everything that task does; what a task did comes before everything its joiner does after
// the join.
//
// A Stamp says which task it was and how many tasks existed then (the epoch). Since ids are given in creation order,
// "before the creation of task c" is "epoch <= c".
//
// Locks and atomics play no part here: the order they make in one execution may be a different one in the next.
//
// Who calls it: runtime/interpose/lock_order. Thread safety: none; only the running task calls.
#pragma once

#include <cstdint>

#include "base/ids.h"

namespace ravel {

// 0: no task.
class Stamp {
 public:
  constexpr Stamp() = default;
  constexpr Stamp(TaskId task, std::uint32_t epoch) : bits_(kPresent | (task << kEpochBits) | epoch) {}

  constexpr explicit operator bool() const { return bits_ != 0; }
  constexpr TaskId task() const { return (bits_ & ~kPresent) >> kEpochBits; }
  constexpr std::uint32_t epoch() const { return bits_ & ((1U << kEpochBits) - 1); }
  friend constexpr bool operator==(Stamp, Stamp) = default;

 private:
  static constexpr unsigned kEpochBits = 15;
  static constexpr std::uint32_t kPresent = 1U << 31;
  static_assert(kMaxTasks < (1U << kEpochBits) && kMaxTasks <= (1U << (31 - kEpochBits)));

  std::uint32_t bits_ = 0;
};

class TaskOrder {
 public:
  // Tasks known so far, T0 included: the current epoch.
  std::uint32_t tasks() const { return tasks_; }

  // Ids are given in order: `child` is tasks().
  void created(TaskId child, TaskId creator);
  void joined(TaskId task, TaskId joiner);

  // Is the access with this stamp ordered before what `task` does now?
  bool before(Stamp stamp, TaskId task) const;

  // Accesses of this epoch or an earlier one are ordered before everything that happens from now on: at some moment
  // since then all tasks but one had been joined.
  std::uint32_t settled_epoch() const { return settled_; }

 private:
  struct Life {
    std::uint16_t creator = 0;
    std::uint16_t joiner = 0;  // + 1; 0: not joined
    std::uint16_t join_epoch = 0;
  };

  std::uint32_t tasks_ = 1;
  std::uint32_t joins_ = 0;
  std::uint32_t settled_ = 0;
  Life lives_[kMaxTasks] = {};
};

}  // namespace ravel

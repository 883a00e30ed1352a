// SPDX-License-Identifier: Apache-2.0
// TaskSet: a set of tasks that finds the next member after a given one in constant time, however many tasks live. Used
// by choosers inside the target: no allocation, and a zeroed object is an empty set, so a static one costs nothing
// until touched. Not thread-safe: one task at a time calls in.
#pragma once

#include <bit>
#include <cstdint>

#include "base/ids.h"

namespace ravel {

class TaskSet {
 public:
  void clear() {
    for (std::uint32_t i = 0; i < kSummaries; ++i) {
      for (std::uint64_t bits = summary_[i]; bits != 0; bits &= bits - 1) {
        words_[i * 64 + static_cast<std::uint32_t>(std::countr_zero(bits))] = 0;
      }
      summary_[i] = 0;
    }
  }

  void insert(TaskId task) {
    words_[task / 64] |= bit(task % 64);
    summary_[task / 4096] |= bit(task / 64 % 64);
  }

  void remove(TaskId task) {
    words_[task / 64] &= ~bit(task % 64);
    if (words_[task / 64] == 0) summary_[task / 4096] &= ~bit(task / 64 % 64);
  }

  bool contains(TaskId task) const { return (words_[task / 64] & bit(task % 64)) != 0; }

  // The smallest member above `task`; the smallest of all when there is none; kNoTask when the set is empty.
  TaskId next_after(TaskId task) const {
    const TaskId above = task + 1 < kMaxTasks ? at_or_above(task + 1) : kNoTask;
    return above != kNoTask ? above : at_or_above(0);
  }

 private:
  static constexpr std::uint32_t kWords = kMaxTasks / 64;
  static constexpr std::uint32_t kSummaries = kWords / 64;
  static_assert(kSummaries * 4096 == kMaxTasks);

  static constexpr std::uint64_t bit(std::uint32_t index) { return std::uint64_t{1} << index; }

  TaskId at_or_above(TaskId task) const {
    const std::uint64_t here = words_[task / 64] & (~std::uint64_t{0} << task % 64);
    if (here != 0) return task / 64 * 64 + static_cast<TaskId>(std::countr_zero(here));
    const std::uint32_t next_word = task / 64 + 1;
    for (std::uint32_t i = next_word / 64; i < kSummaries; ++i) {
      std::uint64_t words = summary_[i];
      if (i == next_word / 64) words &= ~std::uint64_t{0} << next_word % 64;
      if (words == 0) continue;
      const std::uint32_t word = i * 64 + static_cast<std::uint32_t>(std::countr_zero(words));
      return word * 64 + static_cast<TaskId>(std::countr_zero(words_[word]));
    }
    return kNoTask;
  }

  std::uint64_t words_[kWords] = {};
  std::uint64_t summary_[kSummaries] = {};  // bit w: words_[w] is not zero
};

}  // namespace ravel

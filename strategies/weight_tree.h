// SPDX-License-Identifier: Apache-2.0
// WeightTree: draws a task with probability proportional to its weight. Changing a weight and drawing take logarithmic
// time in the number of tasks. Used by choosers inside the target: no allocation; a zeroed object is an empty tree. Not
// thread-safe: one task at a time calls in.
//
// Invariants:
//  1. sum_[node] is the sum of its two children; the leaves, from capacity_ on, are the weights of the tasks.
//  2. Only tasks below capacity_ have a weight.
#pragma once

#include <cstdint>

#include "base/ids.h"
#include "base/random.h"
#include "strategies/task_table.h"

namespace ravel {

class WeightTree {
 public:
  // Clears everything; touches only what was used.
  void clear() {
    for (std::uint32_t i = 0; i < capacity_ * 2; ++i) sum_[i] = 0;
    capacity_ = 0;
  }

  std::uint64_t weight(TaskId task) const { return task < capacity_ ? sum_[capacity_ + task] : 0; }
  std::uint64_t total() const { return capacity_ == 0 ? 0 : sum_[1]; }

  void set_weight(TaskId task, std::uint64_t weight) {
    reserve(task);
    std::uint32_t node = capacity_ + task;
    sum_[node] = weight;
    for (node /= 2; node != 0; node /= 2) sum_[node] = sum_[node * 2] + sum_[node * 2 + 1];
  }

  // total() must not be 0.
  TaskId draw(Random& random) const {
    std::uint64_t at = below(random, sum_[1]);
    std::uint32_t node = 1;
    while (node < capacity_) {
      node *= 2;
      if (at >= sum_[node]) at -= sum_[node++];
    }
    return node - capacity_;
  }

  // Uniform in [0, bound).
  static std::uint64_t below(Random& random, std::uint64_t bound) {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>((static_cast<Wide>(random.next()) * bound) >> 64);
  }

 private:
  static constexpr std::uint32_t kFewest = 16;

  void reserve(TaskId task) {
    if (task < capacity_) return;
    const std::uint32_t before = capacity_;
    if (capacity_ == 0) capacity_ = kFewest;
    while (capacity_ <= task) capacity_ *= 2;
    // From the last one down: the leaves move to higher indices, some of which were leaves before.
    for (std::uint32_t i = before; i-- > 0;) {
      const std::uint64_t weight = sum_[before + i];
      sum_[before + i] = 0;
      sum_[capacity_ + i] = weight;
    }
    for (std::uint32_t node = capacity_ - 1; node != 0; --node) sum_[node] = sum_[node * 2] + sum_[node * 2 + 1];
  }

  static_assert((kMaxTasks & (kMaxTasks - 1)) == 0);

  std::uint32_t capacity_ = 0;  // a power of two
  TaskTable<std::uint64_t, kMaxTasks * 2> sum_;
};

}  // namespace ravel

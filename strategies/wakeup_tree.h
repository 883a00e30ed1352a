// SPDX-License-Identifier: Apache-2.0
// Wakeup trees: what dpor still has to explore from one point of an execution, as sequences of steps that share their
// beginnings. Driver side only; used by dpor's planner alone.
//
// A sequence is inserted only if no sequence of the tree would show the same anyway (Abdulla et al., POPL 2014, section
// 5): if the first step of a branch could also be the first of the new sequence, that branch takes the rest of it.
#pragma once

#ifndef RAVEL_IN_TARGET
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "strategies/dependence.h"
#include "strategies/partial_order.h"

namespace ravel {

// One future step: which task, what it is expected to do, how its choices are answered, and what follows.
struct WakeupBranch {
  Operation operation;
  std::vector<PartialOrder::Choice> choices;
  std::vector<WakeupBranch> branches;  // in the order in which they are explored
};

// A sequence of steps in which every step comes after those it depends on.
class WakeupSequence {
 public:
  explicit WakeupSequence(bool weak_memory) : weak_memory_(weak_memory) {}

  // `ordered(i)`: must step i of the sequence come before the new one?
  template <typename Ordered>
  void push(const Operation& operation, std::vector<PartialOrder::Choice> choices, Ordered ordered) {
    Step step{operation, std::move(choices), {}};
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      if (ordered(i)) step.after.push_back(i);
    }
    steps_.push_back(std::move(step));
    gone_.push_back(false);
  }

  bool empty() const { return std::find(gone_.begin(), gone_.end(), false) == gone_.end(); }

  // Could this operation of its task come first without changing what the sequence does? If it is the task's first step
  // in the sequence, `place` is its index there; if the task is not in it, size().
  bool may_begin_with(const Operation& operation, std::size_t& place) const {
    for (place = 0; place < steps_.size(); ++place) {
      if (gone_[place] || steps_[place].operation.task != operation.task) continue;
      const std::vector<std::size_t>& after = steps_[place].after;
      return std::all_of(after.begin(), after.end(), [&](std::size_t i) { return gone_[i]; });
    }
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      if (!gone_[i] && dependent(steps_[i].operation, operation, weak_memory_)) return false;
    }
    return true;
  }

  // Inserts the rest of the sequence. Returns how many branches were added.
  std::size_t insert_into(std::vector<WakeupBranch>& tree) {
    std::vector<WakeupBranch>* level = &tree;
    while (!empty()) {
      WakeupBranch* taken = nullptr;
      std::size_t place = 0;
      for (WakeupBranch& branch : *level) {
        if (!may_begin_with(branch.operation, place)) continue;
        taken = &branch;
        break;
      }
      if (taken == nullptr) return append_to(*level);
      if (place < steps_.size()) {
        // All answers to the choices of a step are explored; what follows the others will be found from there.
        if (!same_answers(steps_[place].choices, taken->choices)) return 0;
        gone_[place] = true;
      }
      if (taken->branches.empty()) return 0;
      level = &taken->branches;
    }
    return 0;
  }

 private:
  struct Step {
    Operation operation;
    std::vector<PartialOrder::Choice> choices;
    std::vector<std::size_t> after;  // steps it must come after
  };

  static bool same_answers(const std::vector<PartialOrder::Choice>& a, const std::vector<PartialOrder::Choice>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const auto& x, const auto& y) { return x.kind == y.kind && x.taken == y.taken; });
  }

  std::size_t append_to(std::vector<WakeupBranch>& level) {
    std::size_t added = 0;
    std::vector<WakeupBranch>* at = &level;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      if (gone_[i]) continue;
      at->push_back({steps_[i].operation, steps_[i].choices, {}});
      at = &at->back().branches;
      ++added;
    }
    return added;
  }

  bool weak_memory_;
  std::vector<Step> steps_;
  std::vector<bool> gone_;
};

}  // namespace ravel
#endif

// SPDX-License-Identifier: Apache-2.0
// OrderSampling: the choices of partial order sampling (docs/strategies/pos.md), for pos itself and for strategies that
// leave the rest of their choices to it. Target half: the ground rules of choosers apply (include/ravel/strategy.h).
//
// Every draw comes from one generator, in the order of the calls: that is what a seed means.
#pragma once

#include <ravel/strategy.h>

#include <cstdint>

#include "base/random.h"
#include "strategies/pending_priorities.h"

namespace ravel {

class OrderSampling {
 public:
  void begin(std::uint64_t seed) {
    pending_.clear();
    random_ = Random(seed);
    yielding_ = kNoTask;
    choices_ = 0;
  }

  void add(const Operation& operation) { pending_.add(operation, random_); }
  void set_enabled(TaskId task, bool enabled) { pending_.set_enabled(task, enabled, random_); }

  // Puts it below all others until one of them has made a step.
  void yield(TaskId task) {
    yielding_ = task;
    pending_.set_lowest(task, random_);
  }

  // The enabled task of highest priority. Every so many choices one enabled task redraws its priority
  // (docs/strategies/pos.md, deviations), unless `may_redraw` says that its priority does not count.
  template <typename MayRedraw>
  TaskId choose(const TaskChoice& choice, MayRedraw may_redraw) {
    if (++choices_ % kRefreshEvery == 0) {
      const TaskId task = choice.enabled[random_.below(static_cast<std::uint32_t>(choice.enabled.size()))];
      if (task != yielding_ && may_redraw(task)) pending_.redraw(task, random_);
    }
    return pending_.highest();
  }

  void step(const Operation& operation) {
    pending_.remove(operation.task, random_);
    pending_.redraw_conflicting(operation, random_);
    if (yielding_ == kNoTask) return;
    if (yielding_ != operation.task) pending_.redraw(yielding_, random_);
    yielding_ = kNoTask;
  }

  TaskId yielding() const { return yielding_; }  // who yielded since the last step
  Random& random() { return random_; }

 private:
  static constexpr std::uint32_t kRefreshEvery = 64;

  PendingPriorities pending_;
  Random random_;
  TaskId yielding_ = 0;  // set by begin(): a zeroed object takes no space in a file
  std::uint32_t choices_ = 0;
};

}  // namespace ravel

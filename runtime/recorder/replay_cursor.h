// SPDX-License-Identifier: Apache-2.0
// ReplayCursor: hands out the decisions of a prefix one by one, and says where the prefix does not fit the program any
// more. Called by the scheduler before it asks the chooser. When the prefix is used up, active() is false and the
// chooser decides.
//
// Invariant: a decision that does not fit is not consumed. The execution has diverged then, and nothing may follow.
#pragma once

#include <cstdint>
#include <span>

#include "model/decision.h"
#include "model/summary.h"

namespace ravel {

class ReplayCursor {
 public:
  // What the prefix says where the program asks.
  struct Answer {
    std::uint32_t value = 0;                           // the decision, when it fits
    DivergenceReason reason = DivergenceReason::none;  // why it does not
    TaskId expected = kNoTask;                         // then: whose step the prefix has here, if any
  };

  void begin(std::span<const DecisionRun> prefix) {
    run_ = prefix.data();
    end_ = run_ + prefix.size();
    used_ = 0;
  }

  bool active() const { return run_ != end_; }

  // Who makes the next step? `tasks`: how many there are; `is_enabled(task)`: who could. Only while active().
  template <typename Enabled>
  Answer next_task(TaskId tasks, Enabled is_enabled) {
    if (run_->kind != DecisionKind::task) return differs();
    const TaskId task = run_->value;
    if (task >= tasks) return {0, DivergenceReason::no_such_task, task};
    if (!is_enabled(task)) return {0, DivergenceReason::task_not_enabled, task};
    return take();
  }

  // Which of the environment's choices? Only while active().
  Answer next_environment(EnvironmentKind kind, std::uint32_t options) {
    if (run_->kind != DecisionKind::environment || run_->detail != kind) return differs();
    if (run_->value >= options) return {0, DivergenceReason::choice_out_of_range, kNoTask};
    return take();
  }

  // Which store does `task` see? No decision for it in the prefix means the newest. Only while active().
  Answer next_store(TaskId task, std::uint32_t options) {
    if (run_->kind != DecisionKind::reads_from) return {};
    if (run_->value >= options) return {0, DivergenceReason::choice_out_of_range, task};
    return take();
  }

 private:
  Answer differs() const {
    const TaskId expected = run_->kind == DecisionKind::task ? run_->value : kNoTask;
    return {0, DivergenceReason::decision_kind_differs, expected};
  }

  Answer take() {
    const Answer answer{run_->value};
    if (++used_ >= run_->count) {
      ++run_;
      used_ = 0;
    }
    return answer;
  }

  const DecisionRun* run_ = nullptr;
  const DecisionRun* end_ = nullptr;
  std::uint32_t used_ = 0;  // of the current run
};

}  // namespace ravel

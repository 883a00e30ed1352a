// SPDX-License-Identifier: Apache-2.0
// DecisionLog: the crash-safe list of decisions of the running execution, in memory shared with the driver.
// Called by the scheduler, before each decision is acted on. An execution may die at any instruction afterwards.
//
// Invariant: the first summary.decision_runs entries are complete; a run of task decisions is extended in place.
#pragma once

#include <cstdint>

#include "trace/channel.h"

namespace ravel {

class DecisionLog {
 public:
  void begin(Channel& channel) {
    channel_ = &channel;
    last_task_ = kNoTask;
    channel.summary.decision_runs = 0;
  }

  void record_task(TaskId task) {
    ExecutionSummary& summary = channel_->summary;
    if (task == last_task_) {
      ++channel_->decision[summary.decision_runs - 1].count;
      return;
    }
    last_task_ = task;
    append(DecisionRun{DecisionKind::task, EnvironmentKind::spurious_wakeup, 0, task, 1});
  }

  void record_environment(EnvironmentKind kind, std::uint32_t value) {
    last_task_ = kNoTask;  // a run never spans another decision: replay meets them in the same order
    append(DecisionRun{DecisionKind::environment, kind, 0, value, 1});
  }

  // Which store an atomic operation saw or was placed behind. Only when it was not the newest: no entry says that.
  void record_reads_from(std::uint32_t value) {
    last_task_ = kNoTask;
    append(DecisionRun{DecisionKind::reads_from, EnvironmentKind::spurious_wakeup, 0, value, 1});
  }

 private:
  void append(const DecisionRun& run) {
    ExecutionSummary& summary = channel_->summary;
    if (summary.decision_runs == kMaxDecisionRuns) [[unlikely]] {
      summary.decision_log_full = 1;  // said by the driver: this execution cannot be replayed
      last_task_ = kNoTask;
      return;
    }
    channel_->decision[summary.decision_runs] = run;
    ++summary.decision_runs;
  }

  Channel* channel_ = nullptr;
  TaskId last_task_ = 0;
};

}  // namespace ravel

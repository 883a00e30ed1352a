// SPDX-License-Identifier: Apache-2.0
// DecisionLog: the crash-safe list of decisions of the running execution, in memory shared with the driver.
// Called by the scheduler, before each decision is acted on. An execution may die at any instruction afterwards.
//
// Invariant: the first summary.decision_runs entries are complete; a run of task decisions is extended in place.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>

#include "base/raw_syscall.h"
#include "trace/channel.h"

namespace ravel {

class DecisionLog {
 public:
  void begin(Channel& channel) {
    channel_ = &channel;
    last_task_ = kNoTask;
    mapped_ = kFirstMapped;
  }

  void record_task(TaskId task) {
    ExecutionSummary& summary = channel_->result.summary;
    if (task == last_task_) {
      ++channel_->result.decision[summary.decision_runs - 1].count;
      return;
    }
    last_task_ = task;
    append(DecisionRun{DecisionKind::task, EnvironmentKind::spurious_wakeup, 0, task, 1});
  }

  void record_environment(EnvironmentKind kind, std::uint32_t value) {
    last_task_ = kNoTask;  // a run never spans another decision: replay gets to them in the same order
    append(DecisionRun{DecisionKind::environment, kind, 0, value, 1});
  }

  // Which store an atomic operation saw or was placed after. Only if it was not the newest: then there is no entry.
  void record_reads_from(std::uint32_t value) {
    last_task_ = kNoTask;
    append(DecisionRun{DecisionKind::reads_from, EnvironmentKind::spurious_wakeup, 0, value, 1});
  }

 private:
  void append(const DecisionRun& run) {
    ExecutionSummary& summary = channel_->result.summary;
    if (summary.decision_runs == kMaxDecisionRuns) [[unlikely]] {
      summary.decision_log_full = 1;  // the driver then says that this execution cannot be replayed
      last_task_ = kNoTask;
      return;
    }
    if (summary.decision_runs == mapped_) [[unlikely]]
      map_ahead();
    channel_->result.decision[summary.decision_runs] = run;
    ++summary.decision_runs;
  }

  // The pages of the log are the driver's; a new process has to map each of them again. The first one costs a fault;
  // when a log grows, as much again as there is so far is mapped at once, which is several times cheaper.
  void map_ahead() {
    constexpr std::uintptr_t kPage = 4096;
    const std::uint32_t more =
        std::min({mapped_, kMostMappedAhead, static_cast<std::uint32_t>(kMaxDecisionRuns) - mapped_});
    const auto start = reinterpret_cast<std::uintptr_t>(channel_->result.decision + mapped_) & ~(kPage - 1);
    const auto end = reinterpret_cast<std::uintptr_t>(channel_->result.decision + mapped_ + more) & ~(kPage - 1);
    raw_syscall(SYS_madvise, static_cast<long>(start), static_cast<long>(end - start), MADV_POPULATE_WRITE);
    mapped_ += more;
  }

  static constexpr std::uint32_t kFirstMapped = 512;
  static constexpr std::uint32_t kMostMappedAhead = 1U << 15;

  Channel* channel_ = nullptr;
  TaskId last_task_ = 0;
  std::uint32_t mapped_ = 0;  // entries; beyond them nothing is mapped yet
};

}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
// ExecutionRecord: one execution, copied out of the channel before the channel is reused, and what it shows about the
// program. RunningProgram makes them. Thread safety: plain data.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "driver/target/target.h"
#include "model/decision.h"
#include "model/operation.h"
#include "model/plan.h"
#include "model/summary.h"
#include "trace/channel.h"

namespace ravel {

struct ExecutionRecord {
  ExecutionEnd end = ExecutionEnd::ended;
  ExecutionSummary summary;
  int wait_status = 0;
  Plan plan;  // what was asked for
  std::uint32_t sites_known = 0;
  std::vector<DecisionRun> decisions;
  std::vector<TraceEvent> trace;           // empty unless the plan asked for it, as are the next two
  std::vector<TraceEvent> accesses;        // plain accesses that are not steps, at TraceLevel::values
  std::vector<StackRecord> access_stacks;  // of the first `accesses`
  std::vector<OfferedChoice> offered;
  std::vector<Operation> waiting;
  std::vector<StackRecord> step_stacks;      // of the first steps, when the plan asked for values
  std::vector<FindingRecord> findings;       // the target's own, then what the driver concluded from its death
  std::vector<FindingRecord> unclear_races;  // what code that is not seen may have ordered: no findings
  std::vector<TaskRecord> tasks;
  std::vector<CreationRecord> creations;      // of the first tasks, by id; empty unless it was asked to keep them
  std::vector<AllocationRecord> allocations;  // when the plan asked for values
  std::vector<WeakRead> weak_reads;           // the latest, in execution order
  std::string output;
  bool output_truncated = false;
  std::string internal_error;  // not empty: a check inside the runtime failed
  bool without_tasks = false;  // the program ended without creating a task: there was nothing to decide

  // All decisions were kept.
  bool replayable() const { return summary.decision_log_full == 0; }
};

// The findings of the target's last execution: the records it wrote, but for unclear races, and, when none of them
// explains its death, one made from its wait status.
std::vector<FindingRecord> findings_of(Target& target, ExecutionEnd end, std::chrono::nanoseconds timeout);

// The races of the target's last execution that code which is not seen may have ordered.
std::vector<FindingRecord> unclear_races_of(const Channel& channel);

// The last execution in place, for the planner; the caller fills in `failed`.
ExecutionView view_execution(const Channel& channel);

// Everything the channel holds about the last execution.
ExecutionRecord record_execution(Target& target, ExecutionEnd end, std::chrono::nanoseconds timeout);

// "10s", "500ms", "1m30s": the notation of --timeout.
std::string duration_text(std::chrono::nanoseconds duration);

// "signal 11 (SIGSEGV)".
std::string signal_text(int number);

}  // namespace ravel

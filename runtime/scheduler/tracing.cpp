// SPDX-License-Identifier: Apache-2.0
// What an execution reports beyond its summary if its plan asks for it: steps, values, stacks, choices that were
// offered, and what tasks wait for at the end (model/trace_event.h). Nothing here decides anything.
#include "runtime/scheduler/own_memory.h"
#include "runtime/scheduler/scheduler.h"
#include "runtime/scheduler/stack_capture.h"

namespace ravel {
namespace {

// Objects whose first word says whether a wait for them can end.
bool has_units(OperationKind kind) {
  return kind == OperationKind::semaphore_wait || kind == OperationKind::semaphore_try_wait ||
         kind == OperationKind::semaphore_post || kind == OperationKind::sync_wait ||
         kind == OperationKind::sync_notify;
}

}  // namespace

void Scheduler::trace_step(const Operation& operation, bool preempts) {
  ExecutionSummary& sum = summary();
  trace_after();
  if (sum.trace_events >= kMaxTraceEvents) {
    sum.trace_full = 1;
    return;
  }
  TraceEvent& event = channel_->result.trace[sum.trace_events++];
  event = TraceEvent{};
  event.operation = operation;
  if (trace_ == TraceLevel::values && sum.trace_events <= kMaxStepStacks) {
    channel_->result.step_stack[sum.trace_events - 1].count = 0;
  }
  if (preempts) event.flags |= kTracePreempts;
  const bool goes_on = operation.task == current_->id && enabled_.size() > 1;
  if (goes_on && scheduling_[operation.task].yielding) event.flags |= kTraceYielded;
  if (exhaustive_) {
    const TaskId before = current_->id;
    if (enabled_.contains(before) && !scheduling_[before].yielding) event.flags |= kTraceMayGoOn;
    if (was_idle_) event.flags |= kTraceAfterIdle;
    was_idle_ = false;
    for (const TaskId task : enabled_.list()) {
      if (task < 64) event.enabled |= std::uint64_t{1} << task;
    }
    if (has_units(operation.kind)) event.before = *reinterpret_cast<const std::uint32_t*>(operation.object);
  }
  if (trace_ != TraceLevel::values || !is_memory_access(operation.kind)) return;
  if (sum.trace_events > kMaxStepStacks) return;  // no reader gets that far, and each value costs a system call
  if (read_own_memory(operation, event.before)) event.flags |= kTraceBeforeKnown;
}

void Scheduler::trace_access(Operation operation) {
  ExecutionSummary& sum = summary();
  trace_after();
  if (sum.trace_accesses >= kMaxTraceAccesses || sum.trace_full != 0) return;
  operation.task = current_->id;
  TraceEvent& event = channel_->result.access[sum.trace_accesses++];
  event = TraceEvent{};
  event.operation = operation;
  event.position = sum.trace_events;
  if (sum.trace_accesses <= kMaxAccessStacks) capture_stack(channel_->result.access_stack[sum.trace_accesses - 1]);
  if (read_own_memory(operation, event.before)) event.flags |= kTraceBeforeKnown;
}

// What the latest step, or access, left in memory: its effect was made after it was traced.
void Scheduler::trace_after() {
  const ExecutionSummary& sum = summary();
  if (trace_ != TraceLevel::values) return;
  if (sum.trace_accesses > 0) {
    TraceEvent& access = channel_->result.access[sum.trace_accesses - 1];
    if ((access.flags & kTraceAfterKnown) == 0 && read_own_memory(access.operation, access.after)) {
      access.flags |= kTraceAfterKnown;
    }
  }
  if (sum.trace_events == 0) return;
  TraceEvent& event = channel_->result.trace[sum.trace_events - 1];
  if (!is_memory_access(event.operation.kind) || (event.flags & kTraceAfterKnown) != 0) return;
  if (sum.trace_events > kMaxStepStacks) return;
  if (read_own_memory(event.operation, event.after)) event.flags |= kTraceAfterKnown;
}

// Of the step that the current task has just been chosen for: no other task has run since it was traced.
void Scheduler::trace_stack() {
  const std::uint32_t events = summary().trace_events;
  if (events == 0 || events > kMaxStepStacks || summary().trace_full != 0) return;
  capture_stack(channel_->result.step_stack[events - 1]);
}

void Scheduler::keep_creation(TaskId task) {
  if (task >= kMaxCreations) return;
  CreationRecord& record = channel_->result.creation[task];
  record.step = summary().steps;
  capture_frames(record);
  channel_->result.creations = task + 1;
}

// When a call has returned, other calls gradually reuse its part of the stack. Until then its return address is still
// where it was.
void Scheduler::mark_gone_frames() {
  for (std::uint32_t task = 0; task < channel_->result.creations; ++task) {
    CreationRecord& record = channel_->result.creation[task];
    for (std::uint32_t i = 0; i + 1 < record.count; ++i) {
      Operation word;
      word.object = record.frames[i + 1].stack_pointer - sizeof(std::uint64_t);
      word.size = sizeof(std::uint64_t);
      std::uint64_t return_address = 0;
      const bool is_there = read_own_memory(word, return_address) && return_address == record.frames[i + 1].pc;
      if (!is_there && record.frames[i].gone == 0) record.frames[i].gone = summary().steps;
    }
  }
}

void Scheduler::older_store_seen(std::uint64_t value) {
  const ExecutionSummary& sum = summary();
  if (trace_ == TraceLevel::none || sum.trace_events == 0 || sum.trace_full != 0) return;
  TraceEvent& event = channel_->result.trace[sum.trace_events - 1];
  if (event.operation.task != current_->id) return;
  event.before = value;
  event.flags |= kTraceOlderStore | kTraceBeforeKnown;
}

void Scheduler::trace_offer(DecisionKind kind, EnvironmentKind detail, std::uint32_t options, std::uint32_t taken) {
  if (trace_ == TraceLevel::none) return;
  ExecutionSummary& sum = summary();
  if (sum.offered >= kMaxOffered) {
    sum.trace_full = 1;
    return;
  }
  channel_->result.offered[sum.offered++] = OfferedChoice{sum.steps, kind, detail, 0, options, taken, 0};
}

// Adds to the trace of the latest step.
void Scheduler::trace_flag(std::uint32_t flag) {
  const ExecutionSummary& sum = summary();
  if (exhaustive_ && trace_ != TraceLevel::none && sum.trace_events > 0)
    channel_->result.trace[sum.trace_events - 1].flags |= flag;
}

// The latest step ended a wait for which the time was up.
void Scheduler::trace_time_out() {
  const ExecutionSummary& sum = summary();
  if (trace_ == TraceLevel::none || sum.trace_events == 0 || sum.trace_full != 0) return;
  channel_->result.trace[sum.trace_events - 1].flags |= kTraceTimedOut;
}

void Scheduler::trace_store(std::uint64_t store) {
  const ExecutionSummary& sum = summary();
  if (!exhaustive_ || trace_ == TraceLevel::none || sum.trace_events == 0) return;
  TraceEvent& event = channel_->result.trace[sum.trace_events - 1];
  event.store = store;
  event.flags |= kTraceStoreKnown;
}

void Scheduler::trace_waiting() {
  if (trace_ == TraceLevel::none) return;
  trace_after();
  ExecutionSummary& sum = summary();
  sum.waiting = 0;
  sum.waiting_step = sum.steps;
  for (TaskId id = 0; id < task_count_ && sum.waiting < kMaxTaskRecords; ++id) {
    if (tasks_[id].state == TaskState::live) channel_->result.waiting[sum.waiting++] = pending_[id];
  }
}

}  // namespace ravel

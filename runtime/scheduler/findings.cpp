// SPDX-License-Identifier: Apache-2.0
// What the runtime reports about the program: findings with the stacks of the tasks that take part. Written into the
// channel at once, so that they are not lost whatever happens next.
#include <stdio.h>

#include "base/raw_syscall.h"
#include "runtime/scheduler/scheduler.h"
#include "runtime/scheduler/stack_capture.h"

namespace ravel {
namespace {

template <std::size_t N>
void copy_text(char (&to)[N], const char* from) {
  std::size_t length = 0;
  while (from[length] != '\0' && length + 1 < N) {
    to[length] = from[length];
    ++length;
  }
  to[length] = '\0';
}

}  // namespace

FindingRecord* Scheduler::new_finding(FindingKind kind, const char* message) {
  // Races do not end an execution: they must leave room for what does.
  if (channel_->result.findings >= (kind == FindingKind::data_race ? kMaxRaces : kMaxFindings)) return nullptr;
  FindingRecord& record = channel_->result.finding[channel_->result.findings];
  record = FindingRecord{};
  record.kind = kind;
  record.step = summary().steps;
  copy_text(record.message, message);
  // Counted before the stacks are taken: a crash while unwinding must not lose the finding.
  ++channel_->result.findings;
  if (exhaustive_ && kind != FindingKind::data_race) trace_waiting();
  if (channel_->result.creations != 0) mark_gone_frames();
  return &record;
}

// Writes one task's part, stack included. A task that is not running takes its own stack: it is switched to, finds the
// request, and hands back. Changes current_; the caller restores it.
void Scheduler::fill_participant(ParticipantRecord& record, Task& task, const Operation& operation, bool blocked) {
  record.operation = operation;
  record.operation.task = task.id;
  record.blocked = blocked ? 1 : 0;
  const Wait& wait = scheduling_[task.id].wait;
  record.holder = blocked && wait.holder != nullptr ? wait.holder(wait.object) : kNoTask;
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < task.held.count && i < HeldLocks::kCapacity && kept + 1 < 8; ++i) {
    for (std::uint32_t frame = 0; frame < kHeldFrames; ++frame) record.held_pc[kept][frame] = task.held.pc[i][frame];
    record.held[kept++] = task.held.address[i];
  }
  record.held[kept] = 0;
  if (&task == current_) {
    capture_stack(record.stack);
    return;
  }
  const bool started = pending_[task.id].kind != OperationKind::task_start;
  if (!started) {
    record.stack.count = 1;
    record.stack.frames[0] = reinterpret_cast<std::uint64_t>(task.body) + 1;
    return;
  }
  Task& asking = *current_;
  capture_into_ = &record.stack;
  capture_for_ = &asking;
  current_ = &task;
  carrier_->switch_to(*asking.context, *task.context);
  current_ = &asking;
}

// A parked task was woken only to write down its stack.
void Scheduler::capture_on_request() {
  Task& me = *current_;
  capture_stack(*capture_into_);
  Task& asking = *capture_for_;
  capture_into_ = nullptr;
  capture_for_ = nullptr;
  current_ = &asking;
  carrier_->switch_to(*me.context, *asking.context);
}

FindingRecord* Scheduler::report(FindingKind kind, const char* message, const Operation& operation) {
  FindingRecord* record = new_finding(kind, message);
  if (record == nullptr) return nullptr;
  record->task = current_->id;
  record->participants_total = 1;
  fill_participant(record->participant[0], *current_, operation, false);
  record->participants = 1;
  return record;
}

void Scheduler::describe_current(ParticipantRecord& record, const Operation& operation) {
  record = ParticipantRecord{};
  fill_participant(record, *current_, operation, false);
}

FindingRecord* Scheduler::report_signal(FindingKind kind, const char* message, int signal_number,
                                        std::uint64_t fault_address) {
  FindingRecord* record = new_finding(kind, message);
  if (record == nullptr) return nullptr;
  record->task = current_ == nullptr ? 0 : current_->id;
  record->signal_number = static_cast<std::uint8_t>(signal_number);
  record->fault_address = fault_address;
  record->participants_total = 1;
  record->participants = 1;
  record->participant[0].operation.task = record->task;
  capture_stack(record->participant[0].stack);
  return record;
}

bool Scheduler::reported(FindingKind kind) const {
  for (const FindingRecord& record : findings_of(*channel_)) {
    if (record.kind == kind) return true;
  }
  return false;
}

void Scheduler::stop(Outcome outcome) {
  trace_waiting();
  summary().outcome = outcome;
  summary().virtual_nanoseconds = now_;
  if (hooks_.flush_output != nullptr) hooks_.flush_output();
  if (hooks_.end_at_once != nullptr) hooks_.end_at_once(0);
  raw_exit(0);
}

void Scheduler::note_internal_error(const char* file, int line, const char* message) {
  if (channel_ == nullptr) return;
  snprintf(channel_->result.internal_error, sizeof channel_->result.internal_error, "%s:%d: %s", file, line, message);
  summary().outcome = Outcome::internal_error;
}

}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
// ExecutionLog: everything an execution did, steps and plain accesses, in one order, in a form that two executions of a
// program can be compared in: code locations with their calls, memory by the block it belongs to and not by its
// address, and for each read the write whose value it saw.
//
// A write that nobody saw, made by code that is not instrumented, shows in the values: something else is read than was
// written last. What such code was called for is told by what was written beside it (`hidden`).
//
// Who makes it: CauseComparison, from executions with TraceLevel::values. Thread safety: immutable after construction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "driver/target/execution_record.h"

namespace ravel {

inline constexpr std::size_t kNoEvent = ~std::size_t{0};

struct LoggedEvent {
  Operation operation;
  std::size_t place = 0;     // index in the trace; of a plain access: trace size + index in the accesses
  std::uint64_t code = 0;    // location and calls, the same in every execution
  std::uint64_t memory = 0;  // instead of the address: the same in every execution for the same block and offset
  std::uint64_t seen = 0;    // what a read saw; pointers like `memory`
  std::uint64_t left = 0;    // what a write left
  bool reads = false;
  bool writes = false;
  bool seen_known = false;
  bool left_known = false;
  bool older_store = false;       // it saw an older store than the newest
  std::size_t source = kNoEvent;  // of a read: the write it saw; kNoEvent: what was there before, or unknown
                                  // of the end of a wait: the notification
  bool hidden = false;            // `source` did not write it, but wrote beside it when somebody did

  TaskId task() const { return operation.task; }
};

class ExecutionLog {
 public:
  explicit ExecutionLog(const ExecutionRecord& record);

  const std::vector<LoggedEvent>& events() const { return events_; }
  const LoggedEvent& at(std::size_t index) const { return events_[index]; }
  // The events of a task, in order; empty for one that does not exist.
  const std::vector<std::size_t>& of_task(TaskId task) const;
  std::size_t tasks() const { return by_task_.size(); }
  // The number of an event among those of its task.
  std::size_t own(std::size_t index) const { return own_[index]; }
  // Creating and joining tasks keeps `first` before `second`, whatever the schedule.
  bool is_always_before(std::size_t first, std::size_t second) const;

 private:
  void add(const TraceEvent& event, const StackRecord* stack, std::size_t place);
  void find_sources();
  void find_notifications(const ExecutionRecord& record);

  std::vector<LoggedEvent> events_;
  std::vector<std::vector<std::size_t>> by_task_;
  std::vector<std::size_t> own_;
};

// Two accesses touch the same memory.
constexpr bool same_memory(const LoggedEvent& a, const LoggedEvent& b) {
  return a.memory < b.memory + b.operation.size && b.memory < a.memory + a.operation.size;
}

// In one object, as far as that can be told: a std::map or a string is that large.
constexpr bool is_beside(const LoggedEvent& a, const LoggedEvent& b) {
  constexpr std::uint64_t kBeside = 64;
  return (a.memory > b.memory ? a.memory - b.memory : b.memory - a.memory) < kBeside;
}

}  // namespace ravel

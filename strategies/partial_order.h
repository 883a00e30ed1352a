// SPDX-License-Identifier: Apache-2.0
// PartialOrder: one execution as a set of events and the happens-before relation between them. Driver side only.
//
// Who uses it: the planners of dfs (to count partial orders) and dpor (to find races). Built from an ExecutionView
// whose plan was exhaustive and asked for a trace; it makes copies, so the view need not outlive it.
//
// What orders two events: the same task; dependence (strategies/dependence.h); enabling a blocked task; creation; and
// an idle moment, at which no task could run: everything before it is before everything after it.
#pragma once

#ifndef RAVEL_IN_TARGET
#include <ravel/strategy.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ravel {

// Exhaustive search handles programs of at most this many tasks: sets of tasks are words.
inline constexpr std::uint32_t kMaxSearchTasks = 64;

// ... and executions of at most this many steps: every pair of them is looked at.
inline constexpr std::size_t kMaxSearchSteps = 4096;

class PartialOrder {
 public:
  struct Choice {
    DecisionKind kind;
    EnvironmentKind detail;
    std::uint32_t options;
    std::uint32_t taken;
  };
  struct Event {
    Operation operation;
    std::uint32_t flags = 0;
    std::uint64_t enabled = 0;  // who could have made this step
    std::uint64_t before = 0;   // semaphores: how many units there were
    std::uint64_t store = 0;
    std::uint32_t number = 0;    // among the events of its task, from 1
    std::int64_t previous = -1;  // of the same task
    std::int64_t enabler = -1;   // who enabled its task; -1: it was enabled when it arrived
    std::vector<Choice> choices;

    TaskId task() const { return operation.task; }
  };

  explicit PartialOrder(const ExecutionView& view);

  std::size_t size() const { return events_.size(); }
  const Event& operator[](std::size_t i) const { return events_[i]; }
  bool weak_memory() const { return weak_memory_; }
  std::uint32_t tasks() const { return tasks_; }
  const std::vector<Choice>& first_choices() const { return first_choices_; }  // before any step

  // What the tasks that had not ended were about to do; empty when all have ended or it is unknown.
  const std::vector<Operation>& pending() const { return pending_; }

  // a happens before b, or a == b.
  bool before(std::size_t a, std::size_t b) const { return knows(b, a); }
  // The latest event of the task among events [0, end), or -1.
  std::int64_t latest(TaskId task, std::size_t end) const;

  // The same for every execution of the equivalence class, different for others (as far as 64 bits allow).
  std::uint64_t class_hash() const;

 private:
  bool knows(std::size_t event, std::size_t other) const {
    return clocks_[event * tasks_ + events_[other].task()] >= events_[other].number;
  }
  std::vector<std::uint32_t> make_clocks(bool atomics_too) const;

  std::vector<Event> events_;
  std::vector<Choice> first_choices_;
  std::vector<Operation> pending_;
  std::vector<std::uint32_t>
      clocks_;  // per event and task: how many events of that task are before it, itself included
  std::uint32_t tasks_ = 1;
  bool weak_memory_ = false;
};

}  // namespace ravel
#endif

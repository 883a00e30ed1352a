// SPDX-License-Identifier: Apache-2.0
// Profile: what a campaign has learned about a program from the traces of its executions: which tasks there are, what
// each does at which code location to which object and how often, and what is shared. Planners hold one or share one.
// Driver side only; not thread-safe: planners are called by one worker at a time.
//
// Counts are means over the traces, the latest weighing most: programs do different things in different schedules.
// Objects are addresses. They are the same in every execution for globals, for the stacks of tasks, and mostly for the
// heap; an object that is not seen again fades.
//
// Invariants:
//  1. Everything here follows from the traces, in their order: no iteration over a hash table.
//  2. A task comes after its creator in tasks().
#pragma once

#ifndef RAVEL_IN_TARGET
#include <ravel/strategy.h>

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ravel {

class Profile {
 public:
  // One code location, one object, one task.
  struct Cell {
    std::uint64_t task = 0;  // path
    std::uint64_t pc = 0;
    std::uint64_t object = 0;
    OperationKind kind = OperationKind::read;
    double count = 0;  // of operations in an execution
  };

  struct Task {
    std::uint64_t path = 0;
    std::uint64_t creator = 0;  // path; 0 for T0
    double steps = 0;
  };

  // Something that at least two tasks touch in an order that can matter.
  struct SharedObject {
    std::uint64_t object = 0;
    std::uint32_t family = 0;                           // objects with the same family are used by the same code
    std::uint32_t tasks = 0;                            // how many touch it
    bool lock = false;                                  // it is taken and given back
    std::vector<std::uint64_t> locations = {};          // code that touches it, sorted
    std::vector<std::uint64_t> writing_locations = {};  // of these, code that changes it
  };

  // Learns from the view; without a trace only whether there is a reason to ask for one.
  void learn(const ExecutionView& view);

  // Whether the next execution should be traced: the first ones, after new scheduling points, and now and then.
  bool wants_trace() const;

  std::uint64_t traces() const { return traces_; }
  const std::vector<Cell>& cells() const { return cells_; }
  const std::vector<Task>& tasks() const { return tasks_; }
  const std::vector<SharedObject>& shared() const { return shared_; }
  std::uint32_t families() const { return families_; }

 private:
  struct Key {
    std::uint64_t task, pc, object;
    OperationKind kind;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const;
  };

  void count(std::span<const TraceEvent> trace);
  std::size_t task_index(std::uint64_t path, std::uint64_t creator);
  void fade();
  void find_shared();

  std::uint64_t executions_ = 0;
  std::uint64_t traces_ = 0;
  std::uint64_t since_trace_ = 0;
  bool new_points_ = false;
  double weight_ = 1;  // of the trace being learned
  std::vector<Cell> cells_;
  std::unordered_map<Key, std::size_t, KeyHash> cell_at_;
  std::vector<Task> tasks_;
  std::unordered_map<std::uint64_t, std::size_t> task_at_;
  std::vector<SharedObject> shared_;
  std::uint32_t families_ = 0;
};

// The path of the task of each event, as the chooser of that execution knew it.
class TracedPaths {
 public:
  // Call for each event in order, before path() is asked for its task.
  void see(const Operation& operation) {
    if (operation.task >= paths_.size() || operation.kind == OperationKind::task_create) [[unlikely]]
      add_tasks(operation);
    before_ = operation.task;
  }
  std::uint64_t path(TaskId task) const { return task < paths_.size() ? paths_[task] : 0; }
  std::uint64_t creator_path(TaskId task) const;

 private:
  void add_tasks(const Operation& operation);
  void add_up_to(TaskId task, TaskId creator);

  std::vector<std::uint64_t> paths_;
  std::vector<TaskId> creators_;
  std::vector<std::uint32_t> children_;
  TaskId before_ = 0;  // who made the step before
};

}  // namespace ravel
#endif

// SPDX-License-Identifier: Apache-2.0
// LocalVariables: names for memory on the stacks of tasks. A task that shares a local variable with others has created
// them, or their creators, while the variable was alive. So the stacks that tasks were created from say which
// function's frame contains the memory, and that function's debug information names the variable.
//
// Who calls it: the finding report and the explanation, one object per report. Thread safety: that of the SymbolSource.
//
// Invariants:
//  1. At one moment the same memory has the same name, and no two variables share a name in one report: a second one
//     with the name of the first stays unknown.
//  2. Memory that is not certainly in a frame has no name: callers fall back to "on the stack of T0".
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "reports/symboliser.h"
#include "trace/channel.h"

namespace ravel {

struct LocalName {
  const DataName* data = nullptr;  // nullptr: not known
  TaskId owner = kNoTask;          // on whose stack

  bool known() const { return data != nullptr; }
  std::string text() const;   // `cache.size`; `total of T1` on the stack of a task other than T0
  std::string whole() const;  // `cache`
  // "the local variable cache of main() (Cache), declared at cache.cpp:14"; with `details` in its middle.
  std::string place(const std::string& details = {}) const;
};

class LocalVariables {
 public:
  // Both are indexed by TaskId and may be shorter than the number of tasks.
  LocalVariables(std::span<const TaskRecord> tasks, std::span<const CreationRecord> creations, SymbolSource& symbols);

  // The task whose stack holds `address`, or kNoTask.
  TaskId stack_owner(std::uint64_t address) const;

  // The variable at `address` when exactly the tasks below `created` had been created. Calls that had returned by
  // `step`, that of the finding, do not count: other variables may be there.
  LocalName at(std::uint64_t address, std::uint64_t size, TaskId created, std::uint64_t step);

  // How many tasks had been created by that step.
  TaskId created_by(std::uint64_t step) const;

  // The calls that led to the creation of `task`, innermost first. Empty when they were not kept.
  std::vector<std::uint64_t> calls_of_creation(TaskId task) const;

 private:
  std::span<const CreationFrame> frames_of(TaskId task) const;

  std::span<const TaskRecord> tasks_;
  std::span<const CreationRecord> creations_;
  SymbolSource& symbols_;
  std::map<std::tuple<TaskId, std::string>, std::uint64_t> starts_;  // by owner and name: where the variable begins
};

}  // namespace ravel

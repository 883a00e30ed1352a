// SPDX-License-Identifier: Apache-2.0
// FailingOrder: what the tasks of a failing execution did, in which order and at which places of the user's sources;
// and the precedences in it: "this step of one task comes before that step of another". A race test forces some of
// them.
//
// Who calls it: pin(), with the shrunk execution of a schedule. Plain data, pure functions but for the symbols.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "driver/findings/finding_shrinker.h"
#include "model/operation.h"
#include "reports/symboliser.h"

namespace ravel {

// A call in progress in the user's sources.
struct StepPlace {
  std::filesystem::path file;  // absolute
  unsigned line = 0;
  unsigned column = 0;  // 0: unknown
  std::string function;
  bool is_call = false;  // something is called there; otherwise memory is accessed
  std::string hint;      // what; empty: unknown
  bool library = false;  // the step is made in a function of a library that is called there

  friend bool operator==(const StepPlace&, const StepPlace&) = default;
};

struct OrderedStep {
  TaskId task = kNoTask;
  OperationKind kind = OperationKind::read;
  std::uint64_t object = 0;
  std::uint64_t pc = 0;
  std::vector<StepPlace> places;  // innermost first; empty: no code of the user's is involved
  bool matters = true;            // another task could notice it; other steps only show where the task was

  // It can be ordered before or after steps of other tasks.
  bool is_orderable() const { return matters && !places.empty(); }
};

struct FailingOrder {
  std::vector<OrderedStep> steps;
  std::vector<TaskId> unfinished;  // tasks that had more to do when the program failed
};

// `shrunk`: with values in its trace. File names are relative to the current directory.
FailingOrder order_of(const ShrunkFinding& shrunk, SymbolSource& symbols);

// steps[first] comes before steps[second]. With `holds`, before whatever the task of steps[second] does next: it had
// not got there when the program failed.
struct Precedence {
  std::size_t first = 0;
  std::size_t second = 0;
  bool holds = false;

  friend bool operator==(const Precedence&, const Precedence&) = default;
};

// Every switch from one task to another that is not implied by a creation or a join, then what has to be held back at
// the end. Together they leave no other order.
std::vector<Precedence> precedences_of(const FailingOrder& order);

// "std::lock_guard<std::mutex>::lock_guard(std::mutex&)" -> "lock_guard".
std::string bare_function_name(const std::string& function);

}  // namespace ravel

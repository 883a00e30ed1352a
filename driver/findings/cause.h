// SPDX-License-Identifier: Apache-2.0
// Cause: two operations whose order decides between failing and passing. It is found by comparing the shrunk execution
// with a neighbour that passes: the same execution but for one switch that comes a step earlier, a step later, or not
// at all.
//
// Who calls it: FindingShrinker, after shrink(). Thread safety: one thread; no state outside.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "driver/findings/shrinker.h"
#include "driver/target/execution_record.h"
#include "model/cause_kind.h"
#include "reports/explanation.h"
#include "trace/channel.h"

namespace ravel {

// Places in the failing execution: indices of steps in its trace; beyond its end, trace size + the index of a plain
// access. `first` was made before `second`.
struct Cause {
  std::size_t first = 0;
  std::size_t second = 0;
  std::optional<Operation> missing;  // instead of second: what another task had not done yet, and never did
  std::optional<std::size_t> third;  // the later step of the first task that the second came before, if any
  std::optional<std::pair<std::size_t, std::size_t>> also = {};  // a second pair: only with both so it fails
  bool passes_otherwise = false;   // an execution with the other order was performed, and passed
  bool weak = false;               // an older store decides, not the order of steps: second is the read
  StackRecord missing_stack = {};  // of `missing`: where it is made when the program passes
  CauseKind kind = CauseKind::order;
  TrialCounts counts = {};  // all 0: not counted
};

// nullopt when no neighbour passes.
std::optional<Cause> find_cause(TrialRunner& runner, const Shrunk& failing);

// The latest of the first `end` steps that match what a data race says about its two sides; nullopt when there are no
// such steps.
std::optional<Cause> cause_of_operations(const std::vector<TraceEvent>& trace, std::size_t end, const Operation& first,
                                         const Operation& second);

// A race is a pair of accesses, a deadlock a cycle of locks: such a finding names its own cause.
std::optional<Cause> cause_in_finding(const FindingRecord& finding, const std::vector<TraceEvent>& trace);

// The release of the memory and its use afterwards. nullopt when the release is not in the trace.
std::optional<Cause> cause_of_misuse(const FindingRecord& finding, const ExecutionRecord& record);

}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
// explain(): makes an Explanation from a traced execution (TraceLevel::values) and the finding in it.
//
// Who calls it: driver/campaign, after a finding was shrunk. Thread safety: that of the SymbolSource.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <utility>

#include "model/cause_kind.h"
#include "reports/explanation.h"
#include "reports/source_files.h"
#include "trace/channel.h"

namespace ravel {

// Indices of steps in the trace.
struct DecidingSteps {
  std::size_t first = 0;
  std::size_t second = 0;
  std::optional<Operation> missing = {};  // instead of second: what another task had not done yet
  std::optional<std::size_t> third;
  std::optional<std::pair<std::size_t, std::size_t>> also = {};  // a second pair, which is needed as well
  bool passes_otherwise = false;                                 // the other order was tried, and the program passed
  bool weak = false;                                             // an older store decides: second is the read of it
  StackRecord missing_stack = {};                                // of `missing`; empty: not known
  CauseKind kind = CauseKind::order;
  TrialCounts trials = {};  // all 0: not counted
};

// An unusual answer of the environment, and the step it was given to.
struct UnusualAnswer {
  std::size_t index = 0;
  EnvironmentKind kind = EnvironmentKind::spurious_wakeup;
};

struct TracedExecution {
  std::span<const TraceEvent> trace;
  std::span<const StackRecord> stacks;  // of the first steps
  std::span<const TaskRecord> tasks;
  std::span<const CreationRecord> creations;  // may be empty: local variables have no names then
  std::span<const Operation> waiting;         // what tasks waited for at the end
  std::span<const TraceEvent> passing = {};   // another order, which was run and passed; may be empty
  std::span<const StackRecord> passing_stacks = {};
  std::span<const UnusualAnswer> answers;  // in order
  std::uint64_t preemptions = 0;
  bool cut = false;
};

Explanation explain(const TracedExecution& execution, const FindingRecord& record, const ResolvedFinding& finding,
                    const std::optional<DecidingSteps>& deciding, SymbolSource& symbols, const SourceText& source);

}  // namespace ravel

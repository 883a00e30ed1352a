// SPDX-License-Identifier: Apache-2.0
// explain(): makes an Explanation from a traced execution (TraceLevel::values) and the finding in it.
//
// Who calls it: driver/campaign, after a finding was shrunk. Thread safety: that of the SymbolSource.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "reports/explanation.h"
#include "trace/channel.h"

namespace ravel {

// The text of a source line; empty when the file is not there.
using SourceText = std::function<std::string(const Frame& frame)>;

// Reads files, each once, from where the frame names them.
SourceText source_files();

// Indices of steps in the trace.
struct DecidingSteps {
  std::size_t first = 0;
  std::size_t second = 0;
  std::optional<Operation> missing = {};  // instead of second: what another task had not done yet
  std::optional<std::size_t> third;
  bool passes_otherwise = false;   // the other order was tried, and the program passed
  bool weak = false;               // an older store decides: second is the read of it
  StackRecord missing_stack = {};  // of `missing`; empty: not known
  TrialCounts trials = {};         // all 0: not counted
};

struct TracedExecution {
  std::span<const TraceEvent> trace;
  std::span<const StackRecord> stacks;  // of the first steps
  std::span<const TaskRecord> tasks;
  std::span<const CreationRecord> creations;  // may be empty: local variables have no names then
  std::span<const Operation> waiting;         // what tasks waited for at the end
  std::uint64_t preemptions = 0;
  bool cut = false;
};

Explanation explain(const TracedExecution& execution, const FindingRecord& record, const ResolvedFinding& finding,
                    const std::optional<DecidingSteps>& deciding, SymbolSource& symbols, const SourceText& source);

}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
// Trial: one execution made to see whether a finding comes back under other decisions. shrink() and find_cause() ask
// for trials through a TrialRunner; FindingShrinker performs them. Thread safety: plain data.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "model/decision.h"
#include "model/summary.h"
#include "model/trace_event.h"
#include "strategies/directions.h"

namespace ravel {

using Directions = std::vector<Direction>;  // ascending, as DirectionTable requires

struct Trial {
  bool performed = false;  // false: no more executions are possible
  bool same = false;       // it showed the finding in question
  bool passes = false;     // it ended by itself and showed no failure
  ExecutionSummary summary;
  std::vector<DecisionRun> decisions;
  std::vector<TraceEvent> trace;
};

using TryDirections = std::function<Trial(const Directions&)>;

// The directions that reproduce an execution: one for every switch, every unusual answer and every older store. Given
// the trace, also those for tasks that yielded and continued all the same.
Directions directions_of(const std::vector<DecisionRun>& decisions, const std::vector<TraceEvent>& trace = {});

// The details of a plan. Never empty: an empty list of directions differs from none.
std::vector<std::uint64_t> details_of(const Directions& directions);

// For each step of a trace, its number among the steps of its own task.
std::vector<std::uint32_t> own_steps_of(const std::vector<TraceEvent>& trace);

}  // namespace ravel

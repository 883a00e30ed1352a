// SPDX-License-Identifier: Apache-2.0
// Trial: one execution made to see whether a finding comes back under other decisions. Shrinker and CauseSearch ask for
// trials; who has a target performs them. Thread safety: plain data.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "model/decision.h"
#include "model/summary.h"
#include "model/trace_event.h"
#include "strategies/directions.h"

namespace ravel {

using Directions = std::vector<Direction>;  // ascending, as DirectionTable wants them

struct Trial {
  bool performed = false;  // false: no more executions are possible
  bool same = false;       // it showed the finding in question
  bool passes = false;     // it ended by itself and showed no failure
  ExecutionSummary summary;
  std::vector<DecisionRun> decisions;
  std::vector<TraceEvent> trace;
};

using TryDirections = std::function<Trial(const Directions&)>;

// The directions that lead through an execution: one for every switch, every unusual answer and every older store.
// With the trace also those for tasks that yielded and went on all the same.
Directions directions_of(const std::vector<DecisionRun>& decisions, const std::vector<TraceEvent>& trace = {});

// The details of a plan. Never empty: an empty list of directions is not the same as none.
std::vector<std::uint64_t> details_of(const Directions& directions);

// Where each step of a trace stands among the steps of its own task.
std::vector<std::uint32_t> own_steps_of(const std::vector<TraceEvent>& trace);

}  // namespace ravel

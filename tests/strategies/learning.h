// SPDX-License-Identifier: Apache-2.0
// executions_to_failure(): a campaign over a simulated program: plan, simulate, learn.
#pragma once

#include <ravel/strategy.h>

#include <algorithm>
#include <cstdint>
#include <functional>

#include "strategies/registry.h"
#include "tests/strategies/simulator.h"

namespace ravel {

inline Simulation simulate_and_learn(Planner& planner, std::uint64_t execution, const Program& program) {
  const PlannedExecution planned = planner.next(execution);
  Simulation run = simulate(chooser_for(planned.plan), planned.plan, program, 100'000, planned.details);
  ExecutionSummary summary;
  summary.steps = run.steps.size();
  const std::vector<TraceEvent> trace = run.trace();
  ExecutionView view{summary};
  if (planned.plan.trace != TraceLevel::none) view.trace = trace;
  planner.learn(planned, view);
  return run;
}

// The number of executions until `fails` is true, at most `limit`. `reset` resets the program's variables.
inline std::uint64_t executions_to_failure(Planner& planner, const Program& program, const std::function<void()>& reset,
                                           const std::function<bool()>& fails, std::uint64_t limit) {
  for (std::uint64_t execution = 0; execution < limit; ++execution) {
    reset();
    simulate_and_learn(planner, execution, program);
    if (fails()) return execution + 1;
  }
  return limit;
}

}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
// How the planners of exhaustive searches write prefixes, and which executions they cannot rely on. Driver side only.
#pragma once

#ifndef RAVEL_IN_TARGET
#include <ravel/strategy.h>

#include <algorithm>
#include <vector>

#include "strategies/partial_order.h"

namespace ravel {

inline void append_task(std::vector<DecisionRun>& prefix, TaskId task) {
  if (!prefix.empty() && prefix.back().kind == DecisionKind::task && prefix.back().value == task) {
    ++prefix.back().count;
    return;
  }
  DecisionRun run;
  run.value = task;
  prefix.push_back(run);
}

inline void append_choice(std::vector<DecisionRun>& prefix, DecisionKind kind, EnvironmentKind detail,
                          std::uint32_t value) {
  if (kind == DecisionKind::reads_from && value == 0) return;  // no entry means the newest store
  DecisionRun run;
  run.kind = kind;
  run.detail = detail;
  run.value = value;
  prefix.push_back(run);
}

// Unusual environment events are not explored: they are rare by design, and each doubles the tree.
inline bool is_explored(const PartialOrder::Choice& choice) {
  return choice.kind == DecisionKind::reads_from || !environment_is_quiet(choice.detail);
}

inline Plan search_plan(StrategyKind strategy, std::uint64_t seed) {
  Plan plan;
  plan.strategy = strategy;
  plan.seed = seed;
  plan.trace = TraceLevel::operations;
  plan.spin_power = 0;
  plan.exhaustive = 1;
  return plan;
}

// The view contains everything about it, and it would have the same result again.
inline bool is_reliable(const ExecutionView& view) {
  const ExecutionSummary& summary = view.summary;
  // A program that calls exit or dies reports nothing more. What the other tasks were about to do is known then.
  const bool exits = std::any_of(view.trace.begin(), view.trace.end(), [](const TraceEvent& event) {
    return event.operation.kind == OperationKind::program_exit;
  });
  const bool ends_well = summary.outcome == Outcome::ended || summary.outcome == Outcome::stopped ||
                         (summary.outcome == Outcome::running && summary.waiting_step != 0 && (exits || view.failed));
  return ends_well && summary.trace_full == 0 && summary.external == 0 && summary.history_cut == 0 &&
         summary.decision_log_full == 0 && summary.tasks <= kMaxSearchTasks && summary.steps <= kMaxSearchSteps;
}

}  // namespace ravel
#endif

// SPDX-License-Identifier: Apache-2.0
#include "driver/findings/explain_finding.h"

#include <optional>
#include <vector>

#include "driver/findings/wait_history.h"
#include "driver/findings/whole_trace.h"
#include "reports/explain_trace.h"

namespace ravel {

Explanation explain_finding(const ShrunkFinding& shrunk, SymbolSource& symbols) {
  const ExecutionRecord& record = shrunk.record;
  const WholeTrace whole(record, shrunk.cause);
  TracedExecution execution;
  execution.trace = whole.events();
  execution.stacks = whole.stacks();
  execution.tasks = record.tasks;
  execution.creations = shrunk.evidence.creations;
  execution.waiting = record.waiting;
  std::vector<UnusualAnswer> answers;
  for (const GivenAnswer& answer : answers_in(record.decisions)) {
    if (answer.value != 0) answers.push_back({whole.place(answer.step), answer.kind});
  }
  execution.answers = answers;
  execution.preemptions = record.summary.preemptions;
  execution.cut = record.summary.trace_full != 0;
  std::optional<WholeTrace> passing;
  if (shrunk.passing) {
    passing.emplace(*shrunk.passing);
    execution.passing = passing->events();
    execution.passing_stacks = passing->stacks();
  }
  std::optional<DecidingSteps> deciding;
  if (shrunk.cause) {
    const Cause cause = whole.cause(*shrunk.cause);
    deciding =
        DecidingSteps{cause.first, cause.second,        cause.missing, cause.third, cause.also, cause.passes_otherwise,
                      cause.weak,  cause.missing_stack, cause.kind,    cause.counts};
  }
  return explain(execution, shrunk.evidence.finding, shrunk.finding, deciding, symbols, source_files());
}

}  // namespace ravel

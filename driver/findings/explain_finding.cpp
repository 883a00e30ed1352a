// SPDX-License-Identifier: Apache-2.0
#include "driver/findings/explain_finding.h"

#include <optional>

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
  execution.preemptions = record.summary.preemptions;
  execution.cut = record.summary.trace_full != 0;
  std::optional<DecidingSteps> deciding;
  if (shrunk.cause) {
    const Cause cause = whole.cause(*shrunk.cause);
    deciding = DecidingSteps{cause.first, cause.second,        cause.missing, cause.third, cause.passes_otherwise,
                             cause.weak,  cause.missing_stack, cause.counts};
  }
  return explain(execution, shrunk.evidence.finding, shrunk.finding, deciding, symbols, source_files());
}

}  // namespace ravel

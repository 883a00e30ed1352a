// SPDX-License-Identifier: Apache-2.0
// Evidence: what a repetition of the execution adds to a finding. A finding about memory (a race, misuse of the heap)
// has two sides, but an execution keeps only its own side in full: keeping every access would cost too much. So the
// execution is repeated with that memory watched, and the complete record replaces the first one. The repetition also
// keeps the stacks that tasks were created from: they give the names of local variables. Findings of other kinds are
// repeated only for these names.
//
// Who calls it: Inquiry. Pure functions.
#pragma once

#include <optional>
#include <vector>

#include "driver/target/execution_record.h"
#include "reports/finding_report.h"

namespace ravel {

struct Evidence {
  FindingRecord finding;
  std::vector<CreationRecord> creations;  // empty: not kept
};

// A finding with everything that can be known about it.
struct CompleteFinding {
  Evidence evidence;
  ResolvedFinding finding;  // in words
};

// The other side of the finding, and so its signature, is known only after a repetition.
bool is_half_known(const FindingRecord& finding);

// A repetition can add something. False where it would have to wait for the time limit.
bool wants_evidence(const FindingRecord& finding);

// What the repetition is to keep.
WatchRequest evidence_request(const FindingRecord& finding);

// The same finding in the repetition; nullopt when it did not appear again.
std::optional<Evidence> evidence_from(ExecutionRecord repetition, const FindingRecord& finding);

}  // namespace ravel

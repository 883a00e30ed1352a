// SPDX-License-Identifier: Apache-2.0
// Evidence: findings about memory (races, misuse of the heap) name two sides, but an execution keeps only its own side
// in full: keeping every access would cost too much. So the execution is repeated with that memory watched, and the
// complete record takes the place of the first one. The repetition also keeps the stacks that tasks were created from:
// they tell the names of local variables. Findings of other kinds are repeated for the sake of these alone.
//
// Who calls it: Worker and Replay, before a finding is resolved. Pure functions but for what `repeat` does.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "driver/target/execution_record.h"

namespace ravel {

// Runs the same schedule again with this memory watched; nullopt when that was not possible.
using RepeatWatching = std::function<std::optional<ExecutionRecord>(const WatchRequest&)>;

struct Evidence {
  FindingRecord finding;
  std::vector<CreationRecord> creations;  // empty: not kept
};

// The other side of the finding is known only after a repetition, and with it the signature.
bool is_half_known(const FindingRecord& finding);

// A repetition can add something. Not where it would have to wait for the time limit.
bool wants_evidence(const FindingRecord& finding);

// What a repetition is to keep.
WatchRequest evidence_request(const FindingRecord& finding);

// The same finding from a repetition, when it came again.
std::optional<Evidence> with_evidence(const FindingRecord& finding, const RepeatWatching& repeat);

}  // namespace ravel

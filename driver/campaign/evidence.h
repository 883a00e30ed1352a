// SPDX-License-Identifier: Apache-2.0
// Evidence: findings about memory (races, misuse of the heap) name two sides, but an execution keeps only its own side
// in full: keeping every access would cost too much. So the execution is repeated with that memory watched, and the
// complete record takes the place of the first one.
//
// Who calls it: Worker and Replay, before a finding is resolved. Pure functions but for what `repeat` does.
#pragma once

#include <functional>
#include <optional>

#include "driver/campaign/execution_record.h"

namespace ravel {

// Runs the same schedule again with this memory watched; nullopt when that was not possible.
using RepeatWatching = std::function<std::optional<ExecutionRecord>(const WatchRequest&)>;

bool wants_evidence(const FindingRecord& finding);

// The record of the same finding from a repetition with watched memory, when it came again.
std::optional<FindingRecord> with_evidence(const FindingRecord& finding, const RepeatWatching& repeat);

}  // namespace ravel

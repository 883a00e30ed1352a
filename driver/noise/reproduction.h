// SPDX-License-Identifier: Apache-2.0
// reproduce(): from a failing parallel run to a schedule. The record of the run is followed under control
// (strategies/follow.h), in a few hundred executions near it. A failure of the same kind there is an ordinary finding
// with an ordinary schedule: it replays, shrinks and explains.
//
// Who calls it: NoiseCampaign, after the runs. Thread safety: one thread at a time; Campaign starts its own.
#pragma once

#include <cstddef>
#include <vector>

#include "driver/noise/noise_campaign.h"
#include "driver/noise/noise_result.h"
#include "driver/noise/recording.h"

namespace ravel {

inline constexpr std::size_t kMostReproduced = 5;  // different failures whose records are kept and followed

// Whether a failure under control may count as that of a parallel run: the same, or its cause. A crash is a
// use-after-free if the heap is watched; a standstill has many names.
bool is_the_same_failure(FindingKind in_parallel, FindingKind under_control);

// `recordings` are of runs that failed alike; they are followed one after the other until the failure has come back.
ReproductionResult reproduce(const NoiseOptions& options, const NoiseFailure& failure,
                             const std::vector<Recording>& recordings);

// Data races and misuse of the heap, which parallel runs do not look for: the records of passing runs are followed with
// the detectors on. Findings are numbered from `first_id` on; each is reported once. The error is the first that kept a
// record from being followed.
struct DetectorResult {
  std::vector<ReportedFinding> findings;
  std::uint64_t executions = 0;
  std::string trouble;
};
DetectorResult detect_races(const NoiseOptions& options, const std::vector<Recording>& recordings,
                            std::uint32_t first_id);

}  // namespace ravel

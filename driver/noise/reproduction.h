// SPDX-License-Identifier: Apache-2.0
// Reproduction: from a parallel run to what a controlled execution shows of it. From a failing run to a schedule:
// its record is followed under control (strategies/follow.h), in a few hundred executions near it; what fails alike
// there is an ordinary finding with an ordinary schedule: it replays, shrinks and explains.
//
// Who calls it: NoiseCampaign, when the runs are over. Thread safety: one thread at a time; Campaign starts its own.
#pragma once

#include <cstddef>
#include <vector>

#include "driver/noise/noise_campaign.h"
#include "driver/noise/noise_result.h"
#include "driver/noise/recording.h"

namespace ravel {

inline constexpr std::size_t kMostReproduced = 5;  // different failures whose records are kept and followed

// A failure under control that may be taken for one of a parallel run: the same, or what is behind it. A crash is a use
// after free when somebody watches the heap; a standstill has many names.
bool is_the_same_failure(FindingKind in_parallel, FindingKind under_control);

// `recordings` are of runs that failed alike; they are followed one after the other until the failure has come back.
ReproductionResult reproduce(const NoiseOptions& options, const NoiseFailure& failure,
                             const std::vector<Recording>& recordings);

// Data races and misuse of the heap, which parallel runs do not look for: the records of runs that passed are followed
// with the detectors on. Findings are numbered from `first_id` on; each is told once. A trouble is the first that kept
// a record from being followed.
struct DetectorResult {
  std::vector<ReportedFinding> findings;
  std::uint64_t executions = 0;
  std::string trouble;
};
DetectorResult detect_races(const NoiseOptions& options, const std::vector<Recording>& recordings,
                            std::uint32_t first_id);

}  // namespace ravel

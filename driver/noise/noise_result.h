// SPDX-License-Identifier: Apache-2.0
// NoiseResult: everything that the runs of `ravel noise` leave for its reports, as plain values.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "driver/noise/failure_rate.h"
#include "driver/noise/method_coverage.h"
#include "model/noise.h"
#include "reports/campaign_result.h"

namespace ravel {

// The result of following the record of a failing run under control.
struct ReproductionResult {
  bool came_back = false;
  bool searched = false;                   // an ordinary search showed it, following the records did not
  std::optional<ReportedFinding> finding;  // the failure itself, or what causes it, with its schedule
  std::vector<ReportedFinding> others;     // found on the way
  std::uint64_t executions = 0;
  std::uint64_t tries = 0;  // of a best-effort replay: how often the schedule was run ...
  std::uint64_t again = 0;  // ... and how often it showed the finding
  std::string reason;       // if it did not come back or was not tried: one sentence
};

// One kind of failure; runs that fail alike are counted.
struct NoiseFailure {
  ReportedFinding seen;             // as the first such run showed it; first_execution: that run, count: how many runs
  std::uint64_t control_count = 0;  // of them, without noise
  std::string detail;               // for a wrong output: the first difference, or what the oracle said
  std::optional<ReproductionResult> reproduction;
};

struct NoiseResult {
  std::vector<std::string> program;
  std::uint64_t seed = 1;
  FailureRate seeded;
  std::optional<FailureRate> control;
  double seconds = 0;        // of the runs alone, without what followed
  std::uint64_t events = 0;  // concurrent ones, over all seeded runs
  std::array<std::uint64_t, kNoiseKinds> noises{};
  bool instrumented = false;
  bool recorded = true;
  MethodSummary coverage;
  std::string coverage_file;  // empty: none was written
  std::vector<std::string> notes;
  std::vector<NoiseFailure> failures;
  // With --races: found in controlled executions that followed the records of runs that passed.
  std::vector<ReportedFinding> races;
  std::uint64_t race_executions = 0;

  bool has_findings() const { return !failures.empty() || !races.empty(); }
  std::uint64_t runs() const { return seeded.runs + (control ? control->runs : 0); }
  double runs_per_second() const { return seconds > 0 ? static_cast<double>(runs()) / seconds : 0; }
};

}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
// What `ravel noise` prints and writes. Pure functions: the same result gives the same bytes.
#pragma once

#include <string>

#include "driver/noise/noise_result.h"
#include "reports/command_result.h"

namespace ravel {

struct NoiseTextOptions {
  bool color = false;
  bool coverage_table = false;  // the whole table, not one line
};

// One failure: as `ravel run` prints its finding if it came back under control, otherwise with what the run showed.
std::string text_of_failure(const NoiseFailure& failure, const NoiseResult& result, const NoiseTextOptions& options);

// Found with --races, as an ordinary finding.
std::string text_of_race(const ReportedFinding& race, const NoiseTextOptions& options);

// The closing lines: how many runs failed, and what the noise was.
std::string text_of_noise_summary(const NoiseResult& result, const NoiseTextOptions& options);

// docs/formats/noise.md.
std::string json_of_noise(const NoiseResult& result);

// For the reports that all commands write. One case per failure, or one that passed.
CommandResult result_of_noise(const NoiseResult& result);

}  // namespace ravel

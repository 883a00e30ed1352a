// SPDX-License-Identifier: Apache-2.0
// Reads what ThreadSanitizer (g++'s or clang's) writes about a run. Pure function.
#pragma once

#include <string_view>
#include <vector>

#include "driver/race_tests/detector_report.h"

namespace ravel {

// Every report, in the order of the text. Anything else is left out, including truncated reports.
std::vector<DetectorReport> parse_tsan_reports(std::string_view text);

// Did ThreadSanitizer run at all? With verbosity=1 it says so when it starts.
bool tsan_was_running(std::string_view text);

}  // namespace ravel

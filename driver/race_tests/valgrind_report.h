// SPDX-License-Identifier: Apache-2.0
// Reads what valgrind's Helgrind and DRD write about a run with --xml=yes: only the XML that these files use. Pure
// function.
#pragma once

#include <string_view>
#include <vector>

#include "driver/race_tests/detector_report.h"

namespace ravel {

// Every error, in the order of the text; truncated ones are left out.
std::vector<DetectorReport> parse_valgrind_reports(std::string_view xml);

}  // namespace ravel

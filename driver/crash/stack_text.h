// SPDX-License-Identifier: Apache-2.0
// parse_crash_text(): crash stacks in any of the forms of crash_format.def, found in a text that may have anything else
// around them. The form is recognised line by line.
//
// Who calls it: crash_file; the fuzzer. Thread safety: pure functions.
//
// Invariant: linear time, and an answer for any bytes: a report with at least one frame, or a Status that says what to
// do.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "driver/crash/crash_report.h"

namespace ravel {

// `name`: of the file, for messages.
Result<CrashReport> parse_crash_text(std::string_view text, const std::string& name);

}  // namespace ravel

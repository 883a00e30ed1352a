// SPDX-License-Identifier: Apache-2.0
// Reads schedule files (docs/formats/schedule.md). Called by the driver for replay and every other command that starts
// from a schedule. Driver-side only; no shared state.
//
// Handles any input with bounded memory: returns a Schedule, or a Status whose one sentence says what is wrong with the
// file (foreign, truncated, damaged, newer, wrong value at line N) and what to do.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "model/schedule.h"

namespace ravel {

// `name` is what error messages call the text.
Result<Schedule> parse_schedule(std::string_view text, std::string_view name = "the schedule");

Result<Schedule> read_schedule(const std::string& path);

}  // namespace ravel

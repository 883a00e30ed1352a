// SPDX-License-Identifier: Apache-2.0
// open_schedule(): what every command that starts from a schedule does first: read it, change to its directory, find
// its program. Thread safety: none; main's thread.
#pragma once

#include <chrono>
#include <string>

#include "base/status.h"
#include "driver/cli/console.h"
#include "driver/target/target.h"
#include "model/schedule.h"

namespace ravel {

struct OpenedSchedule {
  Schedule schedule;
  TargetSettings settings;
};

// Changes the current directory to the schedule's. `console` warns when that is not possible.
Result<OpenedSchedule> open_schedule(const std::string& path, std::chrono::nanoseconds timeout, Console& console);

// The same for a schedule that records a finding, and takes over the terminal.
Result<OpenedSchedule> open_finding(const std::string& path, std::chrono::nanoseconds timeout, StandardInput& input,
                                    Console& console);

// From here on Ctrl-C and standard input are for the program. `input` must outlive every use of the settings.
Status take_terminal(TargetSettings& settings, StandardInput& input);

}  // namespace ravel

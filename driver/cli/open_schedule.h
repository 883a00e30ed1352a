// SPDX-License-Identifier: Apache-2.0
// What every command that starts from a schedule does first: read it, go where it was made, find its program.
#pragma once

#include <string>

#include "base/status.h"
#include "driver/cli/console.h"
#include "driver/replay/replay.h"
#include "model/schedule.h"

namespace ravel {

struct OpenedSchedule {
  Schedule schedule;
  TargetSettings settings;  // input, interrupted and timeout are the command's to fill in
};

// Changes the current directory to the schedule's.
Result<OpenedSchedule> open_schedule(const std::string& path, Console& console);

}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
// One number for "the same operations in the same order", independent of where modules were loaded. Replay compares it.
// Driver-side only; pure function.
#pragma once

#include <cstdint>
#include <span>

#include "model/schedule.h"

namespace ravel {

// Over task, kind name, module and offset of every step. The program counts as "the program" wherever it is; other
// modules count by file name, so a changed index or a moved folder makes no difference.
std::uint64_t hash_operations(std::span<const ScheduleStep> operations, std::span<const ScheduleModule> modules);

}  // namespace ravel

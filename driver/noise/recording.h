// SPDX-License-Identifier: Apache-2.0
// What a really parallel run has told (trace/free_run.h), as the strategy that follows it wants it.
// Thread safety: plain functions. The run should have ended; of one that has not, what is there so far is read.
#pragma once

#include <cstdint>
#include <vector>

#include "strategies/follow.h"
#include "trace/free_run.h"

namespace ravel {

// A target may have died anywhere: what was not written completely is left out.
Recording read_recording(const FreeRun& run);

// The code of plain accesses that were concurrent events, ascending: a campaign that follows the record needs
// scheduling points there.
std::vector<std::uint64_t> recorded_access_sites(const Recording& recording);

}  // namespace ravel

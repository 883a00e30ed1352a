// SPDX-License-Identifier: Apache-2.0
// read_recording(): the record of a parallel run (trace/free_run.h) in the form that the strategy `follow` takes.
// Thread safety: plain functions. The run should have ended; otherwise they read what is there so far.
#pragma once

#include <cstdint>
#include <vector>

#include "strategies/follow.h"
#include "trace/free_run.h"

namespace ravel {

// The target may have died anywhere: incomplete entries are left out.
Recording read_recording(const FreeRun& run);

// The code of plain accesses that were concurrent events, ascending: a campaign that follows the record needs
// scheduling points there.
std::vector<std::uint64_t> recorded_access_sites(const Recording& recording);

}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
// replay_report(): what `ravel replay` prints about one run of a schedule, and a test that RAVEL_REPLAY replays says.
// Thread safety: a pure function.
#pragma once

#include <optional>
#include <string>

#include "driver/replay/replay.h"
#include "reports/text_report.h"

namespace ravel {

// `expected`: the finding that the schedule records.
std::string replay_report(const ReplayRun& run, std::optional<FindingKind> expected, const TextOptions& options);

}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
// perfetto_report(): the explained executions as a trace for ui.perfetto.dev, chrome://tracing and other viewers of
// the Chrome trace format (--perfetto). Pure function.
#pragma once

#include <string>

#include "reports/command_result.h"

namespace ravel {

// docs/formats/perfetto.md. One process per finding that is explained, one thread per task; a step takes a microsecond.
std::string perfetto_report(const CommandResult& result);

}  // namespace ravel

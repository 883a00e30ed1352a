// SPDX-License-Identifier: Apache-2.0
// Writes schedule files (docs/formats/schedule.md). Called by the driver when a finding is saved. Driver-side only;
// safe to call from several threads for different paths.
#pragma once

#include <string>

#include "base/status.h"
#include "model/schedule.h"

namespace ravel {

// The whole file as text. The same schedule gives the same bytes. parse_schedule returns an equal schedule, except for
// what the format does not keep: the plan's prefix and trace fields, and operations that are too many
// (kMaxKeptOperations) or do not match the decisions (other tasks, or more of them).
std::string format_schedule(const Schedule& schedule);

// Writes a temporary file next to `path`, then renames it: `path` is the old file or the whole new one, never a part.
Status write_schedule(const Schedule& schedule, const std::string& path);

}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
// debug_schedule(): runs a schedule inside gdb: OS threads that pass a baton (so gdb's `thread` and `bt` work), one
// execution in the started process itself, stopped where the finding appears. Called by `ravel replay --gdb`.
#pragma once

#include "base/status.h"
#include "driver/target/target.h"
#include "model/schedule.h"

namespace ravel {

// Returns the exit code when gdb has ended.
Result<int> debug_schedule(const Schedule& schedule, const TargetSettings& settings);

}  // namespace ravel

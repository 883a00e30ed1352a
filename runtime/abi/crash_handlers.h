// SPDX-License-Identifier: Apache-2.0
// Handlers of the signals that end a program, which write down where it was before it dies as it would have, and of
// those that the driver sends (trace/signals.h).
#pragma once

namespace ravel {

// Installs the handlers. Before the fork; executions inherit them.
void install_crash_handlers();

}  // namespace ravel

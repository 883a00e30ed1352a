// SPDX-License-Identifier: Apache-2.0
// Handlers for signals that end a program: they record where it was, then let it die as it would have. Also for those
// that the driver sends (trace/signals.h).
#pragma once

namespace ravel {

// Installs the handlers. Before the fork; executions inherit them.
void install_crash_handlers();

}  // namespace ravel

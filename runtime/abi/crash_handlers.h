// SPDX-License-Identifier: Apache-2.0
// Handlers for signals that end a program: they record where it was, then let it die as it would have.
#pragma once

namespace ravel {

// The driver sends this to an execution whose time is up: it says what it is doing, and is then killed.
int watchdog_signal();

// The driver sends this to an execution that has made no step for long: a task that Ravel does not see into gives way.
int nudge_signal();

// Installs the handlers, on a stack of their own. Before the fork; executions inherit them.
void install_crash_handlers();

}  // namespace ravel

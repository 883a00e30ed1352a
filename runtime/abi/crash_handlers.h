// SPDX-License-Identifier: Apache-2.0
// Signals that end a program, caught to write down where it was before it dies as it would have.
#pragma once

namespace ravel {

// The driver sends this to an execution whose time is up: it says what it is doing, and is then killed.
int watchdog_signal();

// The driver sends this to an execution that has made no step for long: a task that Ravel does not see into gives way.
int nudge_signal();

// Installs the handlers, on a stack of their own. Before the fork; executions inherit them.
void install_crash_handlers();

}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
// Ctrl-C ends a command cleanly: the first one sets a flag that waits check, the second kills.
#pragma once

#include <atomic>

namespace ravel {

// Installs the handlers (SIGINT, SIGTERM, SIGHUP) and returns the flag they set. Call once, from main's thread.
const std::atomic<bool>& catch_interrupts();

}  // namespace ravel

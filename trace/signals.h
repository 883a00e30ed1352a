// SPDX-License-Identifier: Apache-2.0
// The signals that the driver sends to a running execution: part of the protocol of the channel. Real-time signals,
// since programs use few of them. Functions, because only libc knows the highest number.
#pragma once

#include <signal.h>

namespace ravel {

// To an execution whose time is up: it records what it is doing, and is then killed.
inline int stuck_signal() { return SIGRTMAX - 3; }

// To an execution that has made no step for a long time: a task that Ravel cannot see into yields.
inline int nudge_signal() { return SIGRTMAX - 4; }

}  // namespace ravel

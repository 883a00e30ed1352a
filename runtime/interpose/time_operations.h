// SPDX-License-Identifier: Apache-2.0
// Sleeping, yielding and reading clocks, all in virtual time.
#pragma once

#include <sys/time.h>
#include <time.h>

#include "runtime/interpose/points.h"

namespace ravel {

// Return 0 or an errno value. On EINTR `remaining` (may be null) gets the time left.
int sleep_for(const timespec& duration, timespec* remaining, CallSite pc);
int sleep_on_clock(clockid_t clock, int flags, const timespec& time, timespec* remaining, CallSite pc);

int yield_task(CallSite pc);

// 0, or -1 with errno; clocks that are not virtual are the system's.
int read_clock_into(clockid_t clock, timespec* time);

}  // namespace ravel

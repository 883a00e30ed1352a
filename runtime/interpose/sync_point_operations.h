// SPDX-License-Identifier: Apache-2.0
// Sync points of race tests (include/ravel/sync.h). Under the engine a wait blocks its task until the event was
// notified, and both are scheduling points. Nothing here makes a happens-before edge, so for the race detector, the
// accesses that a test puts into an order are as unordered as before. Without the engine, threads poll and sleep.
//
// Called by runtime/abi. The table of events is part of the process's memory: executions are forked from a process that
// has notified only what it did before its second task, so each begins with that.
#pragma once

#include <ravel/sync.h>

#include <cstddef>

#include "runtime/interpose/points.h"

namespace ravel {

// Once, before main: which test runs, and how long threads wait where the engine is not in control.
void read_running_race_test();

bool race_test_runs(const char* test);

void sync_point_wait(ravel_sync_site* site, CallSite pc);
void sync_point_notify(ravel_sync_site* site, CallSite pc);

// SchedulerHooks::tell_sync_wait.
void tell_sync_wait(const void* object, char* message, std::size_t capacity);

}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
//
// The runtime's side of include/ravel/sync.h, under two names. Programs that leave the names of the header undefined
// get them here; those linked with libravel_sync.a have them already, and the library looks up the other names.
#include <stdlib.h>

#include "runtime/abi/export.h"
#include "runtime/interpose/runtime_mode.h"
#include "runtime/interpose/sync_point_operations.h"
#include "trace/channel.h"

using namespace ravel;

RAVEL_EXPORT int ravel_sync_is_running(const char* test) { return race_test_runs(test) ? 1 : 0; }
RAVEL_EXPORT void ravel_sync_wait(ravel_sync_site* site) { sync_point_wait(site, RAVEL_CALL_SITE); }
RAVEL_EXPORT void ravel_sync_notify(ravel_sync_site* site) { sync_point_notify(site, RAVEL_CALL_SITE); }

// Is it for the runtime to answer? Not when it only passes everything through. Asked before main, by shared libraries
// perhaps before the runtime itself has started: then the driver's variable is still there.
RAVEL_EXPORT int ravel_engine_sync_answers() {
  return runtime_active() || free_running() || getenv(kChannelVariable) != nullptr ? 1 : 0;
}
RAVEL_EXPORT int ravel_engine_sync_is_running(const char* test) { return race_test_runs(test) ? 1 : 0; }
// `pc`: where in the program the library was called from.
RAVEL_EXPORT void ravel_engine_sync_wait(ravel_sync_site* site, const void* pc) {
  sync_point_wait(site, reinterpret_cast<CallSite>(pc));
}
RAVEL_EXPORT void ravel_engine_sync_notify(ravel_sync_site* site, const void* pc) {
  sync_point_notify(site, reinterpret_cast<CallSite>(pc));
}

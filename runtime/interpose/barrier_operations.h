// SPDX-License-Identifier: Apache-2.0
// Barriers. The number of tasks that have arrived stands in the pthread_barrier_t, who they are in the waiter queue: a
// task that was let go never looks at the barrier again, which may be gone by then.
#pragma once

#include <pthread.h>

#include "runtime/interpose/points.h"

namespace ravel {

// Before an object is initialised: whatever was at its address has nothing to do with it.
void barrier_created(pthread_barrier_t* barrier);

int barrier_wait(pthread_barrier_t* barrier, CallSite pc);
int barrier_destroy(pthread_barrier_t* barrier, CallSite pc);

}  // namespace ravel

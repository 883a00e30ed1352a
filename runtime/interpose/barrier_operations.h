// SPDX-License-Identifier: Apache-2.0
// Barriers. The pthread_barrier_t holds how many tasks have arrived, the waiter queue which ones: a task that was
// released never touches the barrier again, which may be gone by then.
#pragma once

#include <pthread.h>

#include "runtime/interpose/points.h"

namespace ravel {

// Before an object is initialised: whatever was at its address has nothing to do with it.
void barrier_created(pthread_barrier_t* barrier);

int barrier_wait(pthread_barrier_t* barrier, CallSite pc);
int barrier_destroy(pthread_barrier_t* barrier, CallSite pc);

}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
// Spin locks. glibc's word is 1 when free and at most 0 when locked; the holder's id is kept as its negative.
#pragma once

#include <pthread.h>

#include "runtime/interpose/points.h"

namespace ravel {

// Before an object is initialised: whatever was at its address has nothing to do with it.
void spin_created(pthread_spinlock_t* lock);

int spin_lock(pthread_spinlock_t* lock, CallSite pc);
int spin_try_lock(pthread_spinlock_t* lock, CallSite pc);
int spin_unlock(pthread_spinlock_t* lock, CallSite pc);
int spin_destroy(pthread_spinlock_t* lock, CallSite pc);

}  // namespace ravel

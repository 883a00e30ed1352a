// SPDX-License-Identifier: Apache-2.0
// Read-write locks. State lives in the pthread_rwlock_t: number of readers, writer's id, writers that wait.
// Preference as in glibc: readers, unless the kind is PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP.
// With that kind a writer first queues, which is a separate step (rwlock_queue_writer): from then on readers wait.
#pragma once

#include <pthread.h>
#include <time.h>

#include "runtime/interpose/points.h"

namespace ravel {

// Before an object is initialised: whatever was at its address has nothing to do with it.
void rwlock_created(pthread_rwlock_t* lock);

int rwlock_read_lock(pthread_rwlock_t* lock, CallSite pc);
int rwlock_try_read_lock(pthread_rwlock_t* lock, CallSite pc);
int rwlock_clock_read_lock(pthread_rwlock_t* lock, clockid_t clock, const timespec* deadline, CallSite pc);
int rwlock_write_lock(pthread_rwlock_t* lock, CallSite pc);
int rwlock_try_write_lock(pthread_rwlock_t* lock, CallSite pc);
int rwlock_clock_write_lock(pthread_rwlock_t* lock, clockid_t clock, const timespec* deadline, CallSite pc);
int rwlock_unlock(pthread_rwlock_t* lock, CallSite pc);
int rwlock_destroy(pthread_rwlock_t* lock, CallSite pc);

}  // namespace ravel

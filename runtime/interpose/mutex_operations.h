// SPDX-License-Identifier: Apache-2.0
// Mutexes of every type. State lives in the pthread_mutex_t with glibc's meaning of the fields (owner ids are task id +
// 1 instead of kernel thread ids), so static initialisers work and no registration is needed before the first lock.
//
// Return values are those of glibc. Misuse of plain mutexes that glibc silently ignores is a lock-misuse finding.
#pragma once

#include <pthread.h>
#include <time.h>

#include "runtime/interpose/points.h"

namespace ravel {

// Before an object is initialised: whatever was at its address has nothing to do with it.
void mutex_created(pthread_mutex_t* mutex);

int mutex_lock(pthread_mutex_t* mutex, CallSite pc);
int mutex_try_lock(pthread_mutex_t* mutex, CallSite pc);
int mutex_clock_lock(pthread_mutex_t* mutex, clockid_t clock, const timespec* deadline, CallSite pc);
int mutex_unlock(pthread_mutex_t* mutex, CallSite pc);
int mutex_destroy(pthread_mutex_t* mutex, CallSite pc);
int mutex_make_consistent(pthread_mutex_t* mutex);
int mutex_get_ceiling(const pthread_mutex_t* mutex, int* ceiling);
int mutex_set_ceiling(pthread_mutex_t* mutex, int ceiling, int* old_ceiling, CallSite pc);

// For condition variables: release without a scheduling point of its own, and take back after the wake-up.
int mutex_release_for_wait(pthread_mutex_t* mutex, const Operation& operation);
int mutex_take_back(pthread_mutex_t* mutex, CallSite pc);

// At the end of a task: robust mutexes it still holds are marked "owner died" and freed.
void abandon_robust_mutexes(Task& task);

}  // namespace ravel

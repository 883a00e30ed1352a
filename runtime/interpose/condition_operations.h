// SPDX-License-Identifier: Apache-2.0
// Condition variables. Only the attributes of the pthread_cond_t are used (clock); the waiting tasks are in the waiter
// queue.
#pragma once

#include <pthread.h>
#include <time.h>

#include "runtime/interpose/points.h"

namespace ravel {

int condition_wait(pthread_cond_t* condition, pthread_mutex_t* mutex, CallSite pc);
int condition_timed_wait(pthread_cond_t* condition, pthread_mutex_t* mutex, const timespec* deadline, CallSite pc);
int condition_clock_wait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock, const timespec* deadline,
                         CallSite pc);
int condition_signal(pthread_cond_t* condition, CallSite pc);
int condition_broadcast(pthread_cond_t* condition, CallSite pc);
int condition_destroy(pthread_cond_t* condition, CallSite pc);

// A fresh condition variable at this address: what happened to an earlier one there is forgotten.
void condition_created(pthread_cond_t* condition);

// True when the latest notification of this condition variable found nobody waiting.
bool notify_was_lost(std::uint64_t condition);

}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
// POSIX semaphores, unnamed and named: the value is where glibc has it, in the first word of the sem_t. errno is set
// and -1 returned on failure, as everywhere in semaphore.h.
#pragma once

#include <semaphore.h>
#include <time.h>

#include "runtime/interpose/points.h"

namespace ravel {

// Before an object is initialised: whatever was at its address has nothing to do with it.
void semaphore_created(sem_t* semaphore);

int semaphore_wait(sem_t* semaphore, CallSite pc);
int semaphore_try_wait(sem_t* semaphore, CallSite pc);
int semaphore_clock_wait(sem_t* semaphore, clockid_t clock, const timespec* deadline, CallSite pc);
int semaphore_post(sem_t* semaphore, CallSite pc);
int semaphore_destroy(sem_t* semaphore, CallSite pc);

}  // namespace ravel

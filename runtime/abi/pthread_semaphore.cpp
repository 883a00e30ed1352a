// SPDX-License-Identifier: Apache-2.0
// sem_*. sem_open, sem_close, sem_unlink and sem_getvalue are libc's own: they touch no waiter.
#include "runtime/abi/export.h"
#include "runtime/interpose/free_running.h"
#include "runtime/interpose/real_symbols.h"
#include "runtime/interpose/runtime_mode.h"
#include "runtime/interpose/semaphore_operations.h"

using namespace ravel;

RAVEL_EXPORT int sem_init(sem_t* semaphore, int shared, unsigned value) {
  if (under_engine()) semaphore_created(semaphore);
  return real().sem_init(semaphore, shared, value);
}

RAVEL_EXPORT int sem_destroy(sem_t* semaphore) {
  if (!under_engine()) return real().sem_destroy(semaphore);
  return semaphore_destroy(semaphore, RAVEL_CALL_SITE);
}

RAVEL_EXPORT int sem_wait(sem_t* semaphore) {
  if (!under_engine())
    return passing(OperationKind::semaphore_wait, semaphore, RAVEL_CALL_SITE,
                   [&] { return real().sem_wait(semaphore); });
  return semaphore_wait(semaphore, RAVEL_CALL_SITE);
}

RAVEL_EXPORT int sem_trywait(sem_t* semaphore) {
  if (!under_engine())
    return passing(OperationKind::semaphore_try_wait, semaphore, RAVEL_CALL_SITE,
                   [&] { return real().sem_trywait(semaphore); });
  return semaphore_try_wait(semaphore, RAVEL_CALL_SITE);
}

RAVEL_EXPORT int sem_timedwait(sem_t* semaphore, const timespec* deadline) {
  if (!under_engine())
    return passing(OperationKind::semaphore_wait, semaphore, RAVEL_CALL_SITE, Passed::plain, true,
                   [&] { return real().sem_timedwait(semaphore, deadline); });
  return semaphore_clock_wait(semaphore, CLOCK_REALTIME, deadline, RAVEL_CALL_SITE);
}

RAVEL_EXPORT int sem_clockwait(sem_t* semaphore, clockid_t clock, const timespec* deadline) {
  if (!under_engine())
    return passing(OperationKind::semaphore_wait, semaphore, RAVEL_CALL_SITE, Passed::plain, true,
                   [&] { return real().sem_clockwait(semaphore, clock, deadline); });
  return semaphore_clock_wait(semaphore, clock, deadline, RAVEL_CALL_SITE);
}

RAVEL_EXPORT int sem_post(sem_t* semaphore) {
  if (!under_engine())
    return passing(OperationKind::semaphore_post, semaphore, RAVEL_CALL_SITE,
                   [&] { return real().sem_post(semaphore); });
  return semaphore_post(semaphore, RAVEL_CALL_SITE);
}

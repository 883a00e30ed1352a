// SPDX-License-Identifier: Apache-2.0
// pthread_mutex_*.
#include "runtime/abi/export.h"
#include "runtime/interpose/free_running.h"
#include "runtime/interpose/mutex_operations.h"
#include "runtime/interpose/real_symbols.h"
#include "runtime/interpose/runtime_mode.h"

using namespace ravel;

RAVEL_EXPORT int pthread_mutex_init(pthread_mutex_t* mutex, const pthread_mutexattr_t* attributes) {
  if (under_engine()) mutex_created(mutex);
  return real().pthread_mutex_init(mutex, attributes);
}

RAVEL_EXPORT int pthread_mutex_lock(pthread_mutex_t* mutex) {
  if (!under_engine())
    return passing(OperationKind::mutex_lock, mutex, RAVEL_CALL_SITE, Passed::takes_lock, false,
                   [&] { return real().pthread_mutex_lock(mutex); });
  return mutex_lock(mutex, RAVEL_CALL_SITE);
}

RAVEL_EXPORT int pthread_mutex_trylock(pthread_mutex_t* mutex) {
  if (!under_engine())
    return passing(OperationKind::mutex_try_lock, mutex, RAVEL_CALL_SITE, Passed::takes_lock, false,
                   [&] { return real().pthread_mutex_trylock(mutex); });
  return mutex_try_lock(mutex, RAVEL_CALL_SITE);
}

RAVEL_EXPORT int pthread_mutex_timedlock(pthread_mutex_t* mutex, const timespec* deadline) {
  if (!under_engine())
    return passing(OperationKind::mutex_timed_lock, mutex, RAVEL_CALL_SITE, Passed::takes_lock, true,
                   [&] { return real().pthread_mutex_timedlock(mutex, deadline); });
  return mutex_clock_lock(mutex, CLOCK_REALTIME, deadline, RAVEL_CALL_SITE);
}

RAVEL_EXPORT int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock, const timespec* deadline) {
  if (!under_engine())
    return passing(OperationKind::mutex_timed_lock, mutex, RAVEL_CALL_SITE, Passed::takes_lock, true,
                   [&] { return real().pthread_mutex_clocklock(mutex, clock, deadline); });
  return mutex_clock_lock(mutex, clock, deadline, RAVEL_CALL_SITE);
}

RAVEL_EXPORT int pthread_mutex_unlock(pthread_mutex_t* mutex) {
  if (!under_engine())
    return passing(OperationKind::mutex_unlock, mutex, RAVEL_CALL_SITE, Passed::gives_lock, false,
                   [&] { return real().pthread_mutex_unlock(mutex); });
  return mutex_unlock(mutex, RAVEL_CALL_SITE);
}

RAVEL_EXPORT int pthread_mutex_destroy(pthread_mutex_t* mutex) {
  if (!under_engine()) return real().pthread_mutex_destroy(mutex);
  return mutex_destroy(mutex, RAVEL_CALL_SITE);
}

RAVEL_EXPORT int pthread_mutex_consistent(pthread_mutex_t* mutex) {
  if (!under_engine()) return real().pthread_mutex_consistent(mutex);
  return mutex_make_consistent(mutex);
}

// The older name of the same function, which the header sends to the new one.
RAVEL_EXPORT int ravel_mutex_consistent_np(pthread_mutex_t* mutex) __asm__("pthread_mutex_consistent_np");
int ravel_mutex_consistent_np(pthread_mutex_t* mutex) { return pthread_mutex_consistent(mutex); }

RAVEL_EXPORT int pthread_mutex_getprioceiling(const pthread_mutex_t* mutex, int* ceiling) {
  if (!under_engine()) return real().pthread_mutex_getprioceiling(mutex, ceiling);
  return mutex_get_ceiling(mutex, ceiling);
}

RAVEL_EXPORT int pthread_mutex_setprioceiling(pthread_mutex_t* mutex, int ceiling, int* old_ceiling) {
  if (!under_engine()) return real().pthread_mutex_setprioceiling(mutex, ceiling, old_ceiling);
  return mutex_set_ceiling(mutex, ceiling, old_ceiling, RAVEL_CALL_SITE);
}

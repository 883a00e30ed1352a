// SPDX-License-Identifier: Apache-2.0
// pthread_rwlock_*.
#include "runtime/abi/export.h"
#include "runtime/interpose/free_running.h"
#include "runtime/interpose/real_symbols.h"
#include "runtime/interpose/runtime_mode.h"
#include "runtime/interpose/rwlock_operations.h"

using namespace ravel;

RAVEL_EXPORT int pthread_rwlock_init(pthread_rwlock_t* lock, const pthread_rwlockattr_t* attributes) {
  if (under_engine()) rwlock_created(lock);
  return real().pthread_rwlock_init(lock, attributes);
}

RAVEL_EXPORT int pthread_rwlock_rdlock(pthread_rwlock_t* lock) {
  if (!under_engine())
    return passing(OperationKind::rwlock_read_lock, lock, RAVEL_CALL_SITE, Passed::shares_lock, false,
                   [&] { return real().pthread_rwlock_rdlock(lock); });
  return rwlock_read_lock(lock, RAVEL_CALL_SITE);
}

RAVEL_EXPORT int pthread_rwlock_tryrdlock(pthread_rwlock_t* lock) {
  if (!under_engine())
    return passing(OperationKind::rwlock_try_read_lock, lock, RAVEL_CALL_SITE, Passed::shares_lock, false,
                   [&] { return real().pthread_rwlock_tryrdlock(lock); });
  return rwlock_try_read_lock(lock, RAVEL_CALL_SITE);
}

RAVEL_EXPORT int pthread_rwlock_timedrdlock(pthread_rwlock_t* lock, const timespec* deadline) {
  if (!under_engine())
    return passing(OperationKind::rwlock_read_lock, lock, RAVEL_CALL_SITE, Passed::shares_lock, true,
                   [&] { return real().pthread_rwlock_timedrdlock(lock, deadline); });
  return rwlock_clock_read_lock(lock, CLOCK_REALTIME, deadline, RAVEL_CALL_SITE);
}

RAVEL_EXPORT int pthread_rwlock_clockrdlock(pthread_rwlock_t* lock, clockid_t clock, const timespec* deadline) {
  if (!under_engine())
    return passing(OperationKind::rwlock_read_lock, lock, RAVEL_CALL_SITE, Passed::shares_lock, true,
                   [&] { return real().pthread_rwlock_clockrdlock(lock, clock, deadline); });
  return rwlock_clock_read_lock(lock, clock, deadline, RAVEL_CALL_SITE);
}

RAVEL_EXPORT int pthread_rwlock_wrlock(pthread_rwlock_t* lock) {
  if (!under_engine())
    return passing(OperationKind::rwlock_write_lock, lock, RAVEL_CALL_SITE, Passed::takes_lock, false,
                   [&] { return real().pthread_rwlock_wrlock(lock); });
  return rwlock_write_lock(lock, RAVEL_CALL_SITE);
}

RAVEL_EXPORT int pthread_rwlock_trywrlock(pthread_rwlock_t* lock) {
  if (!under_engine())
    return passing(OperationKind::rwlock_try_write_lock, lock, RAVEL_CALL_SITE, Passed::takes_lock, false,
                   [&] { return real().pthread_rwlock_trywrlock(lock); });
  return rwlock_try_write_lock(lock, RAVEL_CALL_SITE);
}

RAVEL_EXPORT int pthread_rwlock_timedwrlock(pthread_rwlock_t* lock, const timespec* deadline) {
  if (!under_engine())
    return passing(OperationKind::rwlock_write_lock, lock, RAVEL_CALL_SITE, Passed::takes_lock, true,
                   [&] { return real().pthread_rwlock_timedwrlock(lock, deadline); });
  return rwlock_clock_write_lock(lock, CLOCK_REALTIME, deadline, RAVEL_CALL_SITE);
}

RAVEL_EXPORT int pthread_rwlock_clockwrlock(pthread_rwlock_t* lock, clockid_t clock, const timespec* deadline) {
  if (!under_engine())
    return passing(OperationKind::rwlock_write_lock, lock, RAVEL_CALL_SITE, Passed::takes_lock, true,
                   [&] { return real().pthread_rwlock_clockwrlock(lock, clock, deadline); });
  return rwlock_clock_write_lock(lock, clock, deadline, RAVEL_CALL_SITE);
}

RAVEL_EXPORT int pthread_rwlock_unlock(pthread_rwlock_t* lock) {
  if (!under_engine())
    return passing(OperationKind::rwlock_unlock, lock, RAVEL_CALL_SITE, Passed::gives_lock, false,
                   [&] { return real().pthread_rwlock_unlock(lock); });
  return rwlock_unlock(lock, RAVEL_CALL_SITE);
}

RAVEL_EXPORT int pthread_rwlock_destroy(pthread_rwlock_t* lock) {
  if (!under_engine()) return real().pthread_rwlock_destroy(lock);
  return rwlock_destroy(lock, RAVEL_CALL_SITE);
}

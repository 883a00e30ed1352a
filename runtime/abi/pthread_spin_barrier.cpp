// SPDX-License-Identifier: Apache-2.0
// pthread_spin_* and pthread_barrier_*.
#include "runtime/abi/export.h"
#include "runtime/interpose/barrier_operations.h"
#include "runtime/interpose/free_running.h"
#include "runtime/interpose/real_symbols.h"
#include "runtime/interpose/runtime_mode.h"
#include "runtime/interpose/spin_operations.h"

using namespace ravel;

RAVEL_EXPORT int pthread_spin_init(pthread_spinlock_t* lock, int shared) {
  if (under_engine()) spin_created(lock);
  return real().pthread_spin_init(lock, shared);
}

RAVEL_EXPORT int pthread_spin_lock(pthread_spinlock_t* lock) {
  if (!under_engine())
    return passing(OperationKind::spin_lock, lock, RAVEL_CALL_SITE, Passed::takes_lock, false,
                   [&] { return real().pthread_spin_lock(lock); });
  return spin_lock(lock, RAVEL_CALL_SITE);
}

RAVEL_EXPORT int pthread_spin_trylock(pthread_spinlock_t* lock) {
  if (!under_engine())
    return passing(OperationKind::spin_try_lock, lock, RAVEL_CALL_SITE, Passed::takes_lock, false,
                   [&] { return real().pthread_spin_trylock(lock); });
  return spin_try_lock(lock, RAVEL_CALL_SITE);
}

RAVEL_EXPORT int pthread_spin_unlock(pthread_spinlock_t* lock) {
  if (!under_engine())
    return passing(OperationKind::spin_unlock, lock, RAVEL_CALL_SITE, Passed::gives_lock, false,
                   [&] { return real().pthread_spin_unlock(lock); });
  return spin_unlock(lock, RAVEL_CALL_SITE);
}

RAVEL_EXPORT int pthread_spin_destroy(pthread_spinlock_t* lock) {
  if (!under_engine()) return real().pthread_spin_destroy(lock);
  return spin_destroy(lock, RAVEL_CALL_SITE);
}

RAVEL_EXPORT int pthread_barrier_init(pthread_barrier_t* barrier, const pthread_barrierattr_t* attributes,
                                      unsigned count) {
  if (under_engine()) barrier_created(barrier);
  return real().pthread_barrier_init(barrier, attributes, count);
}

RAVEL_EXPORT int pthread_barrier_wait(pthread_barrier_t* barrier) {
  if (!under_engine())
    return passing(OperationKind::barrier_wait, barrier, RAVEL_CALL_SITE,
                   [&] { return real().pthread_barrier_wait(barrier); });
  return barrier_wait(barrier, RAVEL_CALL_SITE);
}

RAVEL_EXPORT int pthread_barrier_destroy(pthread_barrier_t* barrier) {
  if (!under_engine()) return real().pthread_barrier_destroy(barrier);
  return barrier_destroy(barrier, RAVEL_CALL_SITE);
}

// SPDX-License-Identifier: Apache-2.0
// pthread_spin_* and pthread_barrier_*. The init functions are libc's own: they only fill the fields.
#include "runtime/abi/export.h"
#include "runtime/interpose/barrier_operations.h"
#include "runtime/interpose/real_symbols.h"
#include "runtime/interpose/runtime_mode.h"
#include "runtime/interpose/spin_operations.h"

using namespace ravel;

RAVEL_EXPORT int pthread_spin_lock(pthread_spinlock_t* lock) {
  if (!under_engine()) return real().pthread_spin_lock(lock);
  return spin_lock(lock, RAVEL_CALL_SITE);
}

RAVEL_EXPORT int pthread_spin_trylock(pthread_spinlock_t* lock) {
  if (!under_engine()) return real().pthread_spin_trylock(lock);
  return spin_try_lock(lock, RAVEL_CALL_SITE);
}

RAVEL_EXPORT int pthread_spin_unlock(pthread_spinlock_t* lock) {
  if (!under_engine()) return real().pthread_spin_unlock(lock);
  return spin_unlock(lock, RAVEL_CALL_SITE);
}

RAVEL_EXPORT int pthread_spin_destroy(pthread_spinlock_t* lock) {
  if (!under_engine()) return real().pthread_spin_destroy(lock);
  return spin_destroy(lock, RAVEL_CALL_SITE);
}

RAVEL_EXPORT int pthread_barrier_wait(pthread_barrier_t* barrier) {
  if (!under_engine()) return real().pthread_barrier_wait(barrier);
  return barrier_wait(barrier, RAVEL_CALL_SITE);
}

RAVEL_EXPORT int pthread_barrier_destroy(pthread_barrier_t* barrier) {
  if (!under_engine()) return real().pthread_barrier_destroy(barrier);
  return barrier_destroy(barrier, RAVEL_CALL_SITE);
}

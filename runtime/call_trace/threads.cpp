// SPDX-License-Identifier: Apache-2.0
// Locks and threads in traced sequences. Locks are recorded and then taken by libc; what would wait for another thread,
// or start one, ends the sequence: alone, the call has no behaviour to follow. Sleeping takes no time.
#include <cerrno>

#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

#include "runtime/call_trace/recorder.h"

using ravel::CallEventKind;

namespace {

template <typename Function>
Function* real(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

bool is_sequence() { return ravel::in_sequence() && ravel::g_is_traced_thread; }

}  // namespace

#define RAVEL_CALLS_LOCK(name, T)                                                    \
  RAVEL_CALLS_EXPORT int name(T* lock) {                                             \
    static int (*function)(T*) = nullptr;                                            \
    if (function == nullptr) function = real<int(T*)>(#name);                        \
    const int result = function(lock);                                               \
    if (result == 0) ravel::record(CallEventKind::acquire, lock, RAVEL_CALLS_PC, 0); \
    return result;                                                                   \
  }
#define RAVEL_CALLS_UNLOCK(name, T)                                 \
  RAVEL_CALLS_EXPORT int name(T* lock) {                            \
    static int (*function)(T*) = nullptr;                           \
    if (function == nullptr) function = real<int(T*)>(#name);       \
    ravel::record(CallEventKind::release, lock, RAVEL_CALLS_PC, 0); \
    return function(lock);                                          \
  }
RAVEL_CALLS_LOCK(pthread_mutex_trylock, pthread_mutex_t)
RAVEL_CALLS_UNLOCK(pthread_mutex_unlock, pthread_mutex_t)
RAVEL_CALLS_LOCK(pthread_rwlock_tryrdlock, pthread_rwlock_t)
RAVEL_CALLS_LOCK(pthread_rwlock_trywrlock, pthread_rwlock_t)
RAVEL_CALLS_UNLOCK(pthread_rwlock_unlock, pthread_rwlock_t)

// Blocking versions: a lock that is not free will never be, for the one thread there is.
#define RAVEL_CALLS_WAITING_LOCK(name, attempt, T)                                   \
  RAVEL_CALLS_EXPORT int name(T* lock) {                                             \
    static int (*waiting)(T*) = nullptr;                                             \
    static int (*trying)(T*) = nullptr;                                              \
    if (waiting == nullptr) waiting = real<int(T*)>(#name);                          \
    if (trying == nullptr) trying = real<int(T*)>(#attempt);                         \
    const int result = is_sequence() ? trying(lock) : waiting(lock);                 \
    if (result != 0 && is_sequence()) ravel::give_up(ravel::CallOutcome::waits);     \
    if (result == 0) ravel::record(CallEventKind::acquire, lock, RAVEL_CALLS_PC, 0); \
    return result;                                                                   \
  }
RAVEL_CALLS_WAITING_LOCK(pthread_mutex_lock, pthread_mutex_trylock, pthread_mutex_t)
RAVEL_CALLS_WAITING_LOCK(pthread_rwlock_rdlock, pthread_rwlock_tryrdlock, pthread_rwlock_t)
RAVEL_CALLS_WAITING_LOCK(pthread_rwlock_wrlock, pthread_rwlock_trywrlock, pthread_rwlock_t)

RAVEL_CALLS_EXPORT int pthread_mutex_timedlock(pthread_mutex_t* lock, const timespec*) {
  return pthread_mutex_trylock(lock) == 0 ? 0 : ETIMEDOUT;
}
RAVEL_CALLS_EXPORT int pthread_mutex_clocklock(pthread_mutex_t* lock, clockid_t, const timespec*) {
  return pthread_mutex_trylock(lock) == 0 ? 0 : ETIMEDOUT;
}

RAVEL_CALLS_EXPORT int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* lock) {
  if (is_sequence()) ravel::give_up(ravel::CallOutcome::waits);
  return real<int(pthread_cond_t*, pthread_mutex_t*)>("pthread_cond_wait")(condition, lock);
}
// Time passes at once.
RAVEL_CALLS_EXPORT int pthread_cond_timedwait(pthread_cond_t*, pthread_mutex_t* lock, const timespec*) {
  ravel::record(CallEventKind::release, lock, RAVEL_CALLS_PC, 0);
  ravel::record(CallEventKind::acquire, lock, RAVEL_CALLS_PC, 0);
  return ETIMEDOUT;
}
RAVEL_CALLS_EXPORT int pthread_cond_clockwait(pthread_cond_t*, pthread_mutex_t* lock, clockid_t, const timespec*) {
  ravel::record(CallEventKind::release, lock, RAVEL_CALLS_PC, 0);
  ravel::record(CallEventKind::acquire, lock, RAVEL_CALLS_PC, 0);
  return ETIMEDOUT;
}
RAVEL_CALLS_EXPORT int sem_wait(sem_t* semaphore) {
  if (sem_trywait(semaphore) == 0) return 0;
  if (is_sequence()) ravel::give_up(ravel::CallOutcome::waits);
  return real<int(sem_t*)>("sem_wait")(semaphore);
}
RAVEL_CALLS_EXPORT int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                                      void* argument) {
  if (is_sequence()) ravel::give_up(ravel::CallOutcome::starts_threads);
  using Create = int(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  return real<Create>("pthread_create")(thread, attributes, start, argument);
}
RAVEL_CALLS_EXPORT int nanosleep(const timespec*, timespec*) { return 0; }
RAVEL_CALLS_EXPORT int clock_nanosleep(clockid_t, int, const timespec*, timespec*) { return 0; }

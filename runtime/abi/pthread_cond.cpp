// SPDX-License-Identifier: Apache-2.0
// pthread_cond_*.
#include "runtime/abi/export.h"
#include "runtime/interpose/condition_operations.h"
#include "runtime/interpose/free_running.h"
#include "runtime/interpose/real_symbols.h"
#include "runtime/interpose/runtime_mode.h"

using namespace ravel;

RAVEL_EXPORT int pthread_cond_init(pthread_cond_t* condition, const pthread_condattr_t* attributes) {
  if (under_engine()) condition_created(condition);
  return real().pthread_cond_init(condition, attributes);
}

RAVEL_EXPORT int pthread_cond_destroy(pthread_cond_t* condition) {
  if (!under_engine()) return real().pthread_cond_destroy(condition);
  return condition_destroy(condition, RAVEL_CALL_SITE);
}

RAVEL_EXPORT int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  if (!under_engine())
    return passing_wait(condition, mutex, RAVEL_CALL_SITE, false,
                        [&] { return real().pthread_cond_wait(condition, mutex); });
  return condition_wait(condition, mutex, RAVEL_CALL_SITE);
}

RAVEL_EXPORT int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex, const timespec* deadline) {
  if (!under_engine())
    return passing_wait(condition, mutex, RAVEL_CALL_SITE, true,
                        [&] { return real().pthread_cond_timedwait(condition, mutex, deadline); });
  return condition_timed_wait(condition, mutex, deadline, RAVEL_CALL_SITE);
}

RAVEL_EXPORT int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                                        const timespec* deadline) {
  if (!under_engine())
    return passing_wait(condition, mutex, RAVEL_CALL_SITE, true,
                        [&] { return real().pthread_cond_clockwait(condition, mutex, clock, deadline); });
  return condition_clock_wait(condition, mutex, clock, deadline, RAVEL_CALL_SITE);
}

RAVEL_EXPORT int pthread_cond_signal(pthread_cond_t* condition) {
  if (!under_engine())
    return passing(OperationKind::condition_signal, condition, RAVEL_CALL_SITE,
                   [&] { return real().pthread_cond_signal(condition); });
  return condition_signal(condition, RAVEL_CALL_SITE);
}

RAVEL_EXPORT int pthread_cond_broadcast(pthread_cond_t* condition) {
  if (!under_engine())
    return passing(OperationKind::condition_broadcast, condition, RAVEL_CALL_SITE,
                   [&] { return real().pthread_cond_broadcast(condition); });
  return condition_broadcast(condition, RAVEL_CALL_SITE);
}

// SPDX-License-Identifier: Apache-2.0
// C11 threads: the same primitives under other names and result codes. mtx_t, cnd_t, tss_t and once_flag have the
// layout of their pthread counterparts in glibc.
#include <cerrno>

#include "runtime/abi/export.h"
#include "runtime/interpose/condition_operations.h"
#include "runtime/interpose/free_running.h"
#include "runtime/interpose/mutex_operations.h"
#include "runtime/interpose/once_operations.h"
#include "runtime/interpose/real_symbols.h"
#include "runtime/interpose/runtime_mode.h"
#include "runtime/interpose/task_exit.h"
#include "runtime/interpose/thread_operations.h"
#include "runtime/interpose/time_operations.h"

using namespace ravel;

namespace {

int to_thrd(int error) {
  switch (error) {
    case 0:
      return thrd_success;
    case ENOMEM:
      return thrd_nomem;
    case ETIMEDOUT:
      return thrd_timedout;
    case EBUSY:
      return thrd_busy;
    default:
      return thrd_error;
  }
}

pthread_mutex_t* as_pthread(mtx_t* mutex) { return reinterpret_cast<pthread_mutex_t*>(mutex); }
pthread_cond_t* as_pthread(cnd_t* condition) { return reinterpret_cast<pthread_cond_t*>(condition); }

}  // namespace

RAVEL_EXPORT int thrd_create(thrd_t* thread, thrd_start_t body, void* argument) {
  if (!under_engine()) return real().thrd_create(thread, body, argument);
  // An int comes back in the same register as a pointer; thrd_join looks at the int.
  auto* as_pthread_body = reinterpret_cast<void* (*)(void*)>(reinterpret_cast<void*>(body));
  const int error = create_thread(thread, nullptr, as_pthread_body, argument, RAVEL_CALL_SITE);
  return error == EAGAIN ? thrd_nomem : to_thrd(error);
}

RAVEL_EXPORT int thrd_join(thrd_t thread, int* result) {
  if (!under_engine())
    return passing_join(thread, RAVEL_CALL_SITE, false, [&] { return real().thrd_join(thread, result); });
  void* value = nullptr;
  const int error = join_thread(thread, &value, RAVEL_CALL_SITE);
  if (error == 0 && result != nullptr) *result = static_cast<int>(reinterpret_cast<std::intptr_t>(value));
  return to_thrd(error);
}

RAVEL_EXPORT int thrd_detach(thrd_t thread) {
  if (!under_engine()) return real().thrd_detach(thread);
  return to_thrd(detach_thread(thread, RAVEL_CALL_SITE));
}

RAVEL_EXPORT void thrd_exit(int result) {
  if (!under_engine()) real().thrd_exit(result);
  exit_current_task(reinterpret_cast<void*>(static_cast<std::intptr_t>(result)));
}

RAVEL_EXPORT int thrd_sleep(const timespec* duration, timespec* remaining) {
  if (!under_engine()) return real().thrd_sleep(duration, remaining);
  const int error = sleep_for(*duration, remaining, RAVEL_CALL_SITE);
  return error == 0 ? 0 : error == EINTR ? -1 : -2;
}

RAVEL_EXPORT void thrd_yield() {
  if (!under_engine()) return real().thrd_yield();
  yield_task(RAVEL_CALL_SITE);
}

RAVEL_EXPORT int mtx_init(mtx_t* mutex, int type) {
  if (under_engine()) mutex_created(as_pthread(mutex));
  return real().mtx_init(mutex, type);
}

RAVEL_EXPORT int mtx_lock(mtx_t* mutex) {
  if (!under_engine())
    return passing(OperationKind::mutex_lock, mutex, RAVEL_CALL_SITE, Passed::takes_lock, false,
                   [&] { return real().mtx_lock(mutex); });
  return to_thrd(mutex_lock(as_pthread(mutex), RAVEL_CALL_SITE));
}

RAVEL_EXPORT int mtx_trylock(mtx_t* mutex) {
  if (!under_engine())
    return passing(OperationKind::mutex_try_lock, mutex, RAVEL_CALL_SITE, Passed::takes_lock, false,
                   [&] { return real().mtx_trylock(mutex); });
  return to_thrd(mutex_try_lock(as_pthread(mutex), RAVEL_CALL_SITE));
}

RAVEL_EXPORT int mtx_timedlock(mtx_t* mutex, const timespec* deadline) {
  if (!under_engine())
    return passing(OperationKind::mutex_timed_lock, mutex, RAVEL_CALL_SITE, Passed::takes_lock, true,
                   [&] { return real().mtx_timedlock(mutex, deadline); });
  return to_thrd(mutex_clock_lock(as_pthread(mutex), CLOCK_REALTIME, deadline, RAVEL_CALL_SITE));
}

RAVEL_EXPORT int mtx_unlock(mtx_t* mutex) {
  if (!under_engine())
    return passing(OperationKind::mutex_unlock, mutex, RAVEL_CALL_SITE, Passed::gives_lock, false,
                   [&] { return real().mtx_unlock(mutex); });
  return to_thrd(mutex_unlock(as_pthread(mutex), RAVEL_CALL_SITE));
}

RAVEL_EXPORT void mtx_destroy(mtx_t* mutex) {
  if (!under_engine()) return real().mtx_destroy(mutex);
  mutex_destroy(as_pthread(mutex), RAVEL_CALL_SITE);
}

RAVEL_EXPORT int cnd_init(cnd_t* condition) {
  if (under_engine()) condition_created(as_pthread(condition));
  return real().cnd_init(condition);
}

RAVEL_EXPORT int cnd_signal(cnd_t* condition) {
  if (!under_engine())
    return passing(OperationKind::condition_signal, condition, RAVEL_CALL_SITE,
                   [&] { return real().cnd_signal(condition); });
  return to_thrd(condition_signal(as_pthread(condition), RAVEL_CALL_SITE));
}

RAVEL_EXPORT int cnd_broadcast(cnd_t* condition) {
  if (!under_engine())
    return passing(OperationKind::condition_broadcast, condition, RAVEL_CALL_SITE,
                   [&] { return real().cnd_broadcast(condition); });
  return to_thrd(condition_broadcast(as_pthread(condition), RAVEL_CALL_SITE));
}

RAVEL_EXPORT int cnd_wait(cnd_t* condition, mtx_t* mutex) {
  if (!under_engine())
    return passing_wait(condition, mutex, RAVEL_CALL_SITE, false, [&] { return real().cnd_wait(condition, mutex); });
  return to_thrd(condition_wait(as_pthread(condition), as_pthread(mutex), RAVEL_CALL_SITE));
}

RAVEL_EXPORT int cnd_timedwait(cnd_t* condition, mtx_t* mutex, const timespec* deadline) {
  if (!under_engine())
    return passing_wait(condition, mutex, RAVEL_CALL_SITE, true,
                        [&] { return real().cnd_timedwait(condition, mutex, deadline); });
  return to_thrd(condition_timed_wait(as_pthread(condition), as_pthread(mutex), deadline, RAVEL_CALL_SITE));
}

RAVEL_EXPORT void cnd_destroy(cnd_t* condition) {
  if (!under_engine()) return real().cnd_destroy(condition);
  condition_destroy(as_pthread(condition), RAVEL_CALL_SITE);
}

RAVEL_EXPORT int tss_create(tss_t* key, tss_dtor_t destructor) {
  if (!under_engine()) return real().tss_create(key, destructor);
  return to_thrd(create_key(key, destructor));
}

RAVEL_EXPORT void tss_delete(tss_t key) {
  if (!under_engine()) return real().tss_delete(key);
  delete_key(key);
}

RAVEL_EXPORT void call_once(once_flag* flag, void (*routine)()) {
  if (!under_engine())
    return passing(OperationKind::once_begin, flag, RAVEL_CALL_SITE, [&] { return real().call_once(flag, routine); });
  once(reinterpret_cast<pthread_once_t*>(flag), routine, RAVEL_CALL_SITE);
}

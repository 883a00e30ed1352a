// SPDX-License-Identifier: Apache-2.0
// pthread_create and what a program does with threads as a whole.
#include <sys/prctl.h>

#include <cstdarg>

#include "runtime/abi/export.h"
#include "runtime/interpose/free_running.h"
#include "runtime/interpose/points.h"
#include "runtime/interpose/real_symbols.h"
#include "runtime/interpose/runtime_mode.h"
#include "runtime/interpose/signal_operations.h"
#include "runtime/interpose/task_exit.h"
#include "runtime/interpose/thread_operations.h"
#include "runtime/resident/residence.h"

using namespace ravel;

RAVEL_EXPORT int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*body)(void*),
                                void* argument) {
  if (free_running()) return create_free_thread(thread, attributes, body, argument, RAVEL_CALL_SITE);
  if (!under_engine()) return real().pthread_create(thread, attributes, body, argument);
  return create_thread(thread, attributes, body, argument, RAVEL_CALL_SITE);
}

RAVEL_EXPORT int pthread_join(pthread_t thread, void** result) {
  if (!under_engine())
    return passing_join(thread, RAVEL_CALL_SITE, false, [&] { return real().pthread_join(thread, result); });
  return join_thread(thread, result, RAVEL_CALL_SITE);
}

RAVEL_EXPORT int pthread_tryjoin_np(pthread_t thread, void** result) {
  if (!under_engine()) return real().pthread_tryjoin_np(thread, result);
  return try_join_thread(thread, result, RAVEL_CALL_SITE);
}

RAVEL_EXPORT int pthread_timedjoin_np(pthread_t thread, void** result, const timespec* deadline) {
  if (!under_engine())
    return passing_join(thread, RAVEL_CALL_SITE, true,
                        [&] { return real().pthread_timedjoin_np(thread, result, deadline); });
  return clock_join_thread(thread, result, CLOCK_REALTIME, deadline, RAVEL_CALL_SITE);
}

RAVEL_EXPORT int pthread_clockjoin_np(pthread_t thread, void** result, clockid_t clock, const timespec* deadline) {
  if (!under_engine())
    return passing_join(thread, RAVEL_CALL_SITE, true,
                        [&] { return real().pthread_clockjoin_np(thread, result, clock, deadline); });
  return clock_join_thread(thread, result, clock, deadline, RAVEL_CALL_SITE);
}

RAVEL_EXPORT int pthread_detach(pthread_t thread) {
  if (!under_engine()) return real().pthread_detach(thread);
  return detach_thread(thread, RAVEL_CALL_SITE);
}

RAVEL_EXPORT void pthread_exit(void* result) {
  if (!under_engine()) real().pthread_exit(result);
  exit_current_task(result);
}

RAVEL_EXPORT int pthread_cancel(pthread_t thread) {
  if (!under_engine()) return real().pthread_cancel(thread);
  return cancel_thread(thread, RAVEL_CALL_SITE);
}

RAVEL_EXPORT int pthread_setcancelstate(int state, int* old_state) {
  if (!under_engine()) return real().pthread_setcancelstate(state, old_state);
  return set_cancel_state(state, old_state);
}

RAVEL_EXPORT int pthread_setcanceltype(int type, int* old_type) {
  if (!under_engine()) return real().pthread_setcanceltype(type, old_type);
  return set_cancel_type(type, old_type);
}

RAVEL_EXPORT void pthread_testcancel() {
  if (!under_engine()) return real().pthread_testcancel();
  test_cancel();
}

RAVEL_EXPORT int pthread_setname_np(pthread_t thread, const char* name) {
  if (!under_engine()) return real().pthread_setname_np(thread, name);
  return set_thread_name(thread, name);
}

RAVEL_EXPORT int pthread_getname_np(pthread_t thread, char* name, size_t size) {
  if (!under_engine()) return real().pthread_getname_np(thread, name, size);
  return get_thread_name(thread, name, size);
}

// The name of the calling thread; everything else is the kernel's.
RAVEL_EXPORT int prctl(int option, ...) {
  va_list list;
  va_start(list, option);
  unsigned long a[4];
  for (unsigned long& argument : a) argument = va_arg(list, unsigned long);
  va_end(list);
  const bool is_name = option == PR_SET_NAME || option == PR_GET_NAME;
  if (!is_name) cannot_be_put_back();
  if (!is_name || !under_engine()) return real().prctl(option, a[0], a[1], a[2], a[3]);
  Task& task = scheduler().current();
  char name[sizeof task.primitive.name] = {};
  if (option == PR_GET_NAME) return get_thread_name(task.handle, reinterpret_cast<char*>(a[0]), sizeof name);
  const char* wanted = reinterpret_cast<const char*>(a[0]);
  for (std::size_t i = 0; i + 1 < sizeof name && wanted[i] != '\0'; ++i) name[i] = wanted[i];
  return set_thread_name(task.handle, name);
}

RAVEL_EXPORT int pthread_getattr_np(pthread_t thread, pthread_attr_t* attributes) {
  if (!under_engine()) return real().pthread_getattr_np(thread, attributes);
  return get_thread_attributes(thread, attributes);
}

RAVEL_EXPORT int pthread_setschedparam(pthread_t thread, int policy, const sched_param* parameters) {
  if (!under_engine()) return real().pthread_setschedparam(thread, policy, parameters);
  return set_schedule(thread, policy, parameters);
}

RAVEL_EXPORT int pthread_getschedparam(pthread_t thread, int* policy, sched_param* parameters) {
  if (!under_engine()) return real().pthread_getschedparam(thread, policy, parameters);
  return get_schedule(thread, policy, parameters);
}

RAVEL_EXPORT int pthread_setschedprio(pthread_t thread, int priority) {
  if (!under_engine()) return real().pthread_setschedprio(thread, priority);
  return set_schedule_priority(thread, priority);
}

RAVEL_EXPORT int pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t* set) {
  if (!under_engine()) return real().pthread_setaffinity_np(thread, size, set);
  return set_affinity(thread, size, set);
}

RAVEL_EXPORT int pthread_getaffinity_np(pthread_t thread, size_t size, cpu_set_t* set) {
  if (!under_engine()) return real().pthread_getaffinity_np(thread, size, set);
  return get_affinity(thread, size, set);
}

RAVEL_EXPORT int pthread_getcpuclockid(pthread_t thread, clockid_t* clock) {
  if (!under_engine()) return real().pthread_getcpuclockid(thread, clock);
  return get_cpu_clock(thread, clock);
}

RAVEL_EXPORT pid_t gettid() {
  if (!under_engine()) return real().gettid();
  return task_thread_id();
}

RAVEL_EXPORT int pthread_key_create(pthread_key_t* key, void (*destructor)(void*)) {
  if (!under_engine()) return real().pthread_key_create(key, destructor);
  return create_key(key, destructor);
}

// The name under which older binaries know it.
RAVEL_EXPORT int __pthread_key_create(pthread_key_t* key, void (*destructor)(void*)) {
  return pthread_key_create(key, destructor);
}

RAVEL_EXPORT int pthread_key_delete(pthread_key_t key) {
  if (!under_engine()) return real().pthread_key_delete(key);
  return delete_key(key);
}

RAVEL_EXPORT int __cxa_thread_atexit_impl(void (*destructor)(void*), void* object, void* library) {
  if (!under_engine()) return real().__cxa_thread_atexit_impl(destructor, object, library);
  return add_thread_exit_call(destructor, object, library);
}

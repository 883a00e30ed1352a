// SPDX-License-Identifier: Apache-2.0
//
// Calls of the program that pass through to libc, and what is done around them in a parallel run (RuntimeMode::free): a
// chance of noise before, the record of the event, and what the driver needs to find out which thread waits for which.
//
// An event is recorded after the call if the call gets something (a lock, a wake-up), and before it if the call
// releases something (unlock, notify). So of two events on one object, the one that came first has the smaller clock.
//
// Called by runtime/abi, where the engine is not in control (under_engine() is false). Thread safety: any thread.
#pragma once

#include <pthread.h>
#include <threads.h>

#include <type_traits>

#include "runtime/interpose/points.h"
#include "runtime/interpose/runtime_mode.h"
#include "runtime/noise/free_world.h"

namespace ravel {

// What happened inside the call, as far as it matters here.
enum class Passed : std::uint8_t {
  plain,       // a single event
  takes_lock,  // the object is a lock that the thread holds when the call succeeds
  shares_lock,
  gives_lock,
};

void before_passing(const Operation& operation, Passed what, bool timed);
void after_passing(const Operation& operation, Passed what, bool succeeded);

template <typename Call>
inline auto passing(OperationKind kind, const volatile void* object, CallSite pc, Passed what, bool timed, Call call) {
  if (!free_running()) return call();
  const Operation operation = operation_on(kind, object, pc);
  before_passing(operation, what, timed);
  if constexpr (std::is_void_v<decltype(call())>) {
    call();
    after_passing(operation, what, true);
  } else {
    const auto result = call();
    after_passing(operation, what, result == 0);
    return result;
  }
}

template <typename Call>
inline auto passing(OperationKind kind, const volatile void* object, CallSite pc, Call call) {
  return passing(kind, object, pc, Passed::plain, false, call);
}

// A wait on a condition gives the mutex back and takes it again.
void before_waiting(const volatile void* condition, const volatile void* mutex, CallSite pc, bool timed);
void after_waiting(const volatile void* condition, const volatile void* mutex, CallSite pc);

template <typename Call>
inline int passing_wait(const volatile void* condition, const volatile void* mutex, CallSite pc, bool timed,
                        Call call) {
  if (!free_running()) return call();
  before_waiting(condition, mutex, pc, timed);
  const int result = call();
  after_waiting(condition, mutex, pc);
  return result;
}

// Creates a thread of the run.
int create_free_thread(pthread_t* thread, const pthread_attr_t* attributes, void* (*body)(void*), void* argument,
                       CallSite pc);

// Joins one; `call` is the real join.
TaskId free_thread_of(pthread_t thread);
template <typename Call>
inline int passing_join(pthread_t thread, CallSite pc, bool timed, Call call) {
  if (!free_running()) return call();
  const Operation operation = operation_on(OperationKind::task_join, free_thread_of(thread), pc);
  before_passing(operation, Passed::plain, timed);
  const int result = call();
  after_passing(operation, Passed::plain, result == 0);
  return result;
}

// syscall(): the futex calls among them.
long free_system_call(long number, const long (&a)[6], CallSite pc);

// An atomic operation is about to be made.
inline void free_atomic(OperationKind kind, std::uint64_t address, std::uint64_t size, CallSite pc) {
  if (!t_free_self.hears) return;
  Operation operation = operation_on(kind, address, pc);
  operation.size = static_cast<std::uint16_t>(size);
  concurrent_access(operation);
}

// fork(): the child is another program, which nobody disturbs.
template <typename Fork>
inline pid_t fork_free_program(Fork fork) {
  const pid_t child = fork();
  if (child == 0) {
    leave_free_run();
    g_mode = RuntimeMode::passive;
  }
  return child;
}

// Once, before main.
void prepare_free_threads();

}  // namespace ravel

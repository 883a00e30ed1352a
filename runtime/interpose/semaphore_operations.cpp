// SPDX-License-Identifier: Apache-2.0
#include "runtime/interpose/semaphore_operations.h"

#include <limits.h>

#include <cerrno>

#include "runtime/interpose/object_lives.h"
#include "runtime/interpose/sync_edges.h"
#include "runtime/interpose/virtual_time.h"

namespace ravel {
namespace {

// Written to by other processes as well when the semaphore is shared with them.
std::uint32_t value_of(const void* semaphore) {
  return __atomic_load_n(static_cast<const std::uint32_t*>(semaphore), __ATOMIC_RELAXED);
}

// The argument of sem_init, where glibc keeps it: 0 for a semaphore of this process alone.
bool is_shared_with_processes(const sem_t* semaphore) {
  return reinterpret_cast<const std::uint32_t*>(semaphore)[2] != 0;
}

void add(sem_t* semaphore, std::uint32_t change) {
  auto* const value = reinterpret_cast<std::uint32_t*>(semaphore);
  if (is_shared_with_processes(semaphore)) {
    __atomic_fetch_add(value, change, __ATOMIC_RELAXED);
  } else {
    *value += change;  // one task runs at a time
  }
  scheduler().changed(address_of(semaphore));
}

// A wait is ordered after every post so far: it is not known which of them gave the unit it takes.
void take(sem_t* semaphore) {
  add(semaphore, ~std::uint32_t{0});
  acquire_edge(address_of(semaphore));
}

bool may_wait_end(const void* semaphore, const Task& task) { return value_of(semaphore) > 0 || wait_interrupted(task); }

// Another process may have made something new of a semaphore that it shares.
void expect_alive(const sem_t* semaphore, const Operation& operation) {
  if (!is_shared_with_processes(semaphore)) may_use(operation);
}

int fail(int error) {
  errno = error;
  return -1;
}

int wait(sem_t* semaphore, std::uint64_t deadline, CallSite pc) {
  test_cancel();
  if (deadline != kNever && value_of(semaphore) == 0) begin_timed_wait(deadline);
  const Operation operation = operation_on(OperationKind::semaphore_wait, semaphore, pc);
  const Turn turn =
      reach_point(operation, Wait{address_of(semaphore), &may_wait_end, semaphore, deadline, true, nullptr});
  if (turn == Turn::cancelled) cancel_current();
  if (turn == Turn::timed_out) return fail(ETIMEDOUT);
  expect_alive(semaphore, operation);
  if (value_of(semaphore) == 0) return fail(EINTR);
  take(semaphore);
  return 0;
}

}  // namespace

void semaphore_created(sem_t* semaphore) {
  object_created(semaphore);
  forget_edges(address_of(semaphore));
}

int semaphore_wait(sem_t* semaphore, CallSite pc) { return wait(semaphore, kNever, pc); }

int semaphore_try_wait(sem_t* semaphore, CallSite pc) {
  const Operation operation = operation_on(OperationKind::semaphore_try_wait, semaphore, pc);
  reach_point(operation);
  expect_alive(semaphore, operation);
  if (value_of(semaphore) == 0) return fail(EAGAIN);
  take(semaphore);
  return 0;
}

int semaphore_clock_wait(sem_t* semaphore, clockid_t clock, const timespec* deadline, CallSite pc) {
  if (!is_wait_clock(clock) || !has_valid_nanoseconds(*deadline)) return fail(EINVAL);
  return wait(semaphore, deadline_at(clock, *deadline), pc);
}

int semaphore_post(sem_t* semaphore, CallSite pc) {
  const Operation operation = operation_on(OperationKind::semaphore_post, semaphore, pc);
  reach_point(operation);
  expect_alive(semaphore, operation);
  if (value_of(semaphore) == SEM_VALUE_MAX) return fail(EOVERFLOW);
  release_edge(address_of(semaphore));
  add(semaphore, 1);
  return 0;
}

int semaphore_destroy(sem_t* semaphore, CallSite pc) {
  const Operation operation = operation_on(OperationKind::semaphore_destroy, semaphore, pc);
  reach_point(operation);
  expect_alive(semaphore, operation);
  forget_edges(address_of(semaphore));
  object_destroyed(operation);
  return 0;
}

}  // namespace ravel

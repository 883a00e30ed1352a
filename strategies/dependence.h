// SPDX-License-Identifier: Apache-2.0
// dependent(): which operations may not be swapped, for exhaustive search. Finer than conflict() of model/operation.h
// where that distinguishes what no program can, and wider where an operation touches more than its object. Two
// executions are equivalent when one results from the other by swapping neighbours that are not dependent.
//
// Used by both halves of dpor and by the code that counts partial orders, so that they agree by construction. Pure
// functions.
#pragma once

#include <cstdint>

#include "model/operation.h"

namespace ravel {

// Kinds whose object is a task.
constexpr bool names_a_task(OperationKind kind) {
  return kind >= OperationKind::task_create && kind <= OperationKind::task_signal;
}

// The end of a wait: enabled by whoever ended it, and not visible to other tasks.
constexpr bool is_end_of_wait(const Operation& operation) {
  switch (operation.kind) {
    case OperationKind::condition_wake:
      return true;
    case OperationKind::barrier_wait:
      return operation.value == 1;
    case OperationKind::futex_wait:
      return operation.value == kFutexWaitEnds;
    default:
      return false;
  }
}

constexpr bool is_atomic_access(OperationKind kind) {
  return kind >= OperationKind::atomic_load && kind <= OperationKind::atomic_cas;
}

constexpr bool enters_as_reader(const Operation& operation) {
  return operation.kind == OperationKind::rwlock_read_lock || operation.kind == OperationKind::rwlock_try_read_lock;
}

constexpr bool is_reader_of_lock(const Operation& operation) {
  return enters_as_reader(operation) || (operation.kind == OperationKind::rwlock_unlock && operation.value == 1);
}

// A queueing writer is visible only to tasks that want to read, and to the end of the lock.
constexpr bool ignores_queue(const Operation& operation) {
  return !enters_as_reader(operation) && operation.kind != OperationKind::rwlock_destroy;
}

constexpr bool takes_condition_mutex(const Operation& operation) {
  return operation.kind == OperationKind::condition_wait || operation.kind == OperationKind::condition_timed_wait;
}

// For different tasks. weak_memory: the C++ model, in which seq_cst operations are ordered among each other.
constexpr bool dependent(const Operation& a, const Operation& b, bool weak_memory) {
  // A section may do anything.
  if (a.kind == OperationKind::atomic_section || b.kind == OperationKind::atomic_section) return true;
  // The end of the program ends everything: it matters what was done before it.
  if (a.kind == OperationKind::program_exit || b.kind == OperationKind::program_exit) return true;
  // Whatever a task does comes before or after it is cancelled or receives a signal.
  const auto strikes = [](const Operation& x, const Operation& y) {
    return (x.kind == OperationKind::task_cancel || x.kind == OperationKind::task_signal) && x.object == y.task;
  };
  if (strikes(a, b) || strikes(b, a)) return true;
  // Tasks are numbered in the order of their creation.
  if (a.kind == OperationKind::task_create && b.kind == OperationKind::task_create) return true;
  if (names_a_task(a.kind) != names_a_task(b.kind)) return false;
  if (weak_memory && a.order == MemoryOrder::seq_cst && b.order == MemoryOrder::seq_cst) {
    const bool fence_a = a.kind == OperationKind::fence;
    const bool fence_b = b.kind == OperationKind::fence;
    if ((fence_a || is_atomic_access(a.kind)) && (fence_b || is_atomic_access(b.kind))) {
      if (fence_a || fence_b || a.object == b.object) return true;
    }
  }
  if (is_end_of_wait(a) || is_end_of_wait(b)) return false;
  if (a.kind == OperationKind::semaphore_post && b.kind == OperationKind::semaphore_post) return false;
  // An event of a race test stays notified: it only matters whether a wait comes before the first notify.
  if (a.kind == OperationKind::sync_wait && b.kind == OperationKind::sync_wait) return false;
  if (a.kind == OperationKind::sync_notify && b.kind == OperationKind::sync_notify) return false;
  if (is_reader_of_lock(a) && is_reader_of_lock(b)) return false;
  if (a.kind == OperationKind::rwlock_queue_writer && ignores_queue(b)) return false;
  if (b.kind == OperationKind::rwlock_queue_writer && ignores_queue(a)) return false;
  if (conflict(a, b)) return true;
  // Waiting on a condition variable releases its mutex.
  if (takes_condition_mutex(a) && conflict(Operation{.kind = OperationKind::mutex_unlock, .object = a.value}, b)) {
    return true;
  }
  if (takes_condition_mutex(b) && conflict(Operation{.kind = OperationKind::mutex_unlock, .object = b.value}, a)) {
    return true;
  }
  return takes_condition_mutex(a) && takes_condition_mutex(b) && a.value == b.value;
}

}  // namespace ravel

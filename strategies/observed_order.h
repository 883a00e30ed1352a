// SPDX-License-Identifier: Apache-2.0
// What an operation takes from those before it on the same object and leaves for those after it. Locks count: taking
// one sees the latest release. Shared by both halves of the strategies that work with code locations (profile, surw,
// rff), by the coverage of a campaign and by futures.
#pragma once

#include "model/operation.h"

namespace ravel {

// Takes something that only one task can have: a lock, a turn of an initialisation.
constexpr bool acquires(OperationKind kind) {
  switch (kind) {
    case OperationKind::semaphore_wait:
    case OperationKind::semaphore_try_wait:
    case OperationKind::once_begin:
    case OperationKind::guard_acquire:
      return true;
    default:
      return takes_lock(kind);
  }
}

// Releases it. The task has it, so no competing operation can come first: its place is not a choice.
constexpr bool releases(OperationKind kind) {
  return kind == OperationKind::once_end || kind == OperationKind::guard_release || releases_lock(kind);
}

// The object of an operation on a task is the task's number, not an address.
constexpr bool on_task(OperationKind kind) {
  return kind >= OperationKind::task_create && kind <= OperationKind::task_signal;
}

// What it does depends on what was there: the reading side of a reads-from pair.
constexpr bool sees(OperationKind kind) {
  switch (kind) {
    case OperationKind::read:
    case OperationKind::read_write:
    case OperationKind::atomic_load:
    case OperationKind::atomic_rmw:
    case OperationKind::atomic_cas:
    case OperationKind::condition_wait:
    case OperationKind::condition_timed_wait:
    case OperationKind::futex_wait:
    case OperationKind::barrier_wait:
    case OperationKind::sync_wait:
      return true;
    default:
      return acquires(kind);
  }
}

// Others see what it left: the writing side.
constexpr bool leaves(OperationKind kind) {
  switch (kind) {
    case OperationKind::write:
    case OperationKind::read_write:
    case OperationKind::atomic_store:
    case OperationKind::atomic_rmw:
    case OperationKind::atomic_cas:
    case OperationKind::condition_signal:
    case OperationKind::condition_broadcast:
    case OperationKind::semaphore_post:
    case OperationKind::barrier_wait:
    case OperationKind::futex_wake:
    case OperationKind::heap_free:
    case OperationKind::sync_notify:
      return true;
    default:
      return releases(kind);
  }
}

// After it, the next operation sees something else than before: it leaves something, or it takes what could be seen.
constexpr bool overtakes(OperationKind kind) {
  return leaves(kind) || (acquires(kind) && operation_role(kind) != OperationRole::reads);
}

// Its order is decided by the schedule.
constexpr bool is_ordered(OperationKind kind) {
  return operation_role(kind) != OperationRole::local && !on_task(kind) && !releases(kind);
}

}  // namespace ravel

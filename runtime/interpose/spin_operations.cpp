// SPDX-License-Identifier: Apache-2.0
#include "runtime/interpose/spin_operations.h"

#include <cerrno>

#include "runtime/interpose/held_locks.h"
#include "runtime/interpose/lock_order.h"
#include "runtime/interpose/object_lives.h"
#include "runtime/interpose/sync_edges.h"

namespace ravel {
namespace {

constexpr int kFree = 1;

int word_of(const void* lock) { return *static_cast<const volatile int*>(lock); }

bool spin_is_free(const void* lock, const Task&) { return word_of(lock) == kFree; }

TaskId spin_holder(const void* lock) {
  const int word = word_of(lock);
  return word < 0 ? static_cast<TaskId>(-word - 1) : kNoTask;
}

// The program may have declared the lock volatile; only its address matters.
const void* object_of(pthread_spinlock_t* lock) { return const_cast<const int*>(lock); }

int take(pthread_spinlock_t* lock, Task& task, CallSite pc) {
  *lock = -static_cast<int>(task.id + 1);
  acquire_edge(address_of(lock));
  add_held_lock(task, address_of(lock), pc);
  scheduler().changed(address_of(lock));
  return 0;
}

}  // namespace

int spin_lock(pthread_spinlock_t* lock, CallSite pc) {
  Task& task = scheduler().current();
  const Operation operation = operation_on(OperationKind::spin_lock, lock, pc);
  if (spin_holder(object_of(lock)) == task.id) {
    report_on_operation(FindingKind::lock_misuse,
                        "a task locks a spin lock that it already holds: it waits for itself forever", operation);
    scheduler().stop();
  }
  note_lock_order(task, operation);
  reach_point(operation, Wait{address_of(lock), &spin_is_free, object_of(lock), kNever, false, &spin_holder});
  may_use(operation);
  return take(lock, task, pc);
}

int spin_try_lock(pthread_spinlock_t* lock, CallSite pc) {
  Task& task = scheduler().current();
  const Operation operation = operation_on(OperationKind::spin_try_lock, lock, pc);
  reach_point(operation);
  may_use(operation);
  return spin_is_free(object_of(lock), task) ? take(lock, task, pc) : EBUSY;
}

int spin_unlock(pthread_spinlock_t* lock, CallSite pc) {
  Task& task = scheduler().current();
  const Operation operation = operation_on(OperationKind::spin_unlock, lock, pc);
  reach_point(operation);
  const TaskId holder = spin_holder(object_of(lock));
  if (may_use(operation) && holder != task.id) {
    report_on_operation(FindingKind::lock_misuse,
                        holder == kNoTask ? "a task unlocks a spin lock that no task holds"
                                          : "a task unlocks a spin lock that another task holds",
                        operation);
  }
  Task* owner = holder == kNoTask ? nullptr : scheduler().task(holder);
  if (owner != nullptr) remove_held_lock(*owner, address_of(lock));
  if (owner == &task) {
    release_edge_alone(address_of(lock));
  } else {
    release_edge(address_of(lock));
  }
  *lock = kFree;
  scheduler().changed(address_of(lock));
  return 0;
}

void spin_created(pthread_spinlock_t* lock) {
  object_created(lock);
  forget_edges(address_of(lock));
  lock_order_forget(address_of(lock), sizeof *lock);
}

int spin_destroy(pthread_spinlock_t* lock, CallSite pc) {
  const Operation operation = operation_on(OperationKind::spin_destroy, lock, pc);
  reach_point(operation);
  const bool in_use = may_use(operation) && word_of(object_of(lock)) != kFree;
  if (in_use) {
    report_on_operation(FindingKind::lock_misuse, "a task destroys a spin lock that is locked", operation);
  }
  spin_created(lock);  // nothing of it is left, either
  object_destroyed(operation, in_use);
  return 0;
}

}  // namespace ravel

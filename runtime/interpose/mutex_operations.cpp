// SPDX-License-Identifier: Apache-2.0
#include "runtime/interpose/mutex_operations.h"

#include <sched.h>

#include <cerrno>
#include <climits>

#include "runtime/interpose/held_locks.h"
#include "runtime/interpose/lock_order.h"
#include "runtime/interpose/object_lives.h"
#include "runtime/interpose/sync_edges.h"
#include "runtime/interpose/virtual_time.h"

namespace ravel {
namespace {

// glibc's encoding of pthread_mutex_t::__data.__kind.
constexpr int kTypeMask = 3;
constexpr int kRobust = 16;
constexpr int kPriorityProtect = 64;
constexpr int kDestroyed = -1;

// glibc's encoding of __lock and __owner of robust mutexes.
constexpr int kOwnerDied = 0x40000000;
constexpr int kOwnerMask = 0x3fffffff;
constexpr int kInconsistent = INT_MAX;
constexpr int kNotRecoverable = INT_MAX - 1;

// glibc keeps the ceiling of priority-protected mutexes in the high bits of __lock.
constexpr int kCeilingShift = 19;
constexpr unsigned kCeilingMask = 0xfff80000U;

// One mutex seen through its fields.
class Mutex {
 public:
  explicit Mutex(pthread_mutex_t* mutex) : data_(mutex->__data) {}

  int type() const { return data_.__kind & kTypeMask; }
  bool is_robust() const { return (data_.__kind & kRobust) != 0; }
  bool is_protected() const { return (data_.__kind & kPriorityProtect) != 0; }
  bool is_destroyed() const { return data_.__kind == kDestroyed; }
  // Plain ones trust the program; the others check, and report by return code.
  bool is_checked() const {
    return is_robust() || type() == PTHREAD_MUTEX_RECURSIVE || type() == PTHREAD_MUTEX_ERRORCHECK;
  }

  // 1 + id of the holder; 0 when free.
  int holder() const {
    if (is_robust()) return data_.__lock & kOwnerMask;
    return state() == 0 ? 0 : data_.__owner;
  }
  bool is_free() const { return holder() == 0; }
  bool owner_died() const { return is_robust() && (data_.__lock & kOwnerDied) != 0; }

  void take(int id) {
    data_.__count = 1;
    ++data_.__nusers;
    if (is_robust()) {
      if (data_.__owner != kInconsistent) data_.__owner = id;
      data_.__lock = id;
      return;
    }
    data_.__owner = id;
    set_state(1);
  }

  void release() {
    data_.__count = 0;
    if (data_.__nusers > 0) --data_.__nusers;
    data_.__owner = 0;
    if (is_robust()) {
      data_.__lock = 0;
    } else {
      set_state(0);
    }
  }

  unsigned ceiling() const { return (static_cast<unsigned>(data_.__lock) & kCeilingMask) >> kCeilingShift; }
  void set_ceiling(unsigned ceiling) {
    data_.__lock = static_cast<int>((static_cast<unsigned>(data_.__lock) & ~kCeilingMask) | ceiling << kCeilingShift);
  }

  __pthread_mutex_s& data() const { return data_; }

 private:
  int state() const {
    return is_protected() ? static_cast<int>(static_cast<unsigned>(data_.__lock) & ~kCeilingMask) : data_.__lock;
  }
  void set_state(int state) {
    const unsigned kept = is_protected() ? static_cast<unsigned>(data_.__lock) & kCeilingMask : 0U;
    data_.__lock = static_cast<int>(kept | static_cast<unsigned>(state));
  }

  __pthread_mutex_s& data_;
};

// Ready functions get const objects; the view needs none of the const-ness and writes nothing there.
Mutex view(const void* mutex) { return Mutex(static_cast<pthread_mutex_t*>(const_cast<void*>(mutex))); }

bool mutex_is_free(const void* mutex, const Task&) {
  const Mutex seen = view(mutex);
  return seen.is_free() || seen.is_destroyed() || seen.data().__owner == kNotRecoverable;
}

TaskId mutex_holder(const void* mutex) {
  const int holder = view(mutex).holder();
  return holder == 0 ? kNoTask : static_cast<TaskId>(holder - 1);
}

int id_of(const Task& task) { return static_cast<int>(task.id) + 1; }

void link_robust(Task& task, pthread_mutex_t* mutex) {
  mutex->__data.__list.__next = static_cast<__pthread_internal_list*>(task.primitive.robust_list);
  task.primitive.robust_list = mutex;
}

void unlink_robust(Task& task, pthread_mutex_t* mutex) {
  void** link = &task.primitive.robust_list;
  while (*link != nullptr && *link != mutex) {
    link = reinterpret_cast<void**>(&static_cast<pthread_mutex_t*>(*link)->__data.__list.__next);
  }
  if (*link == nullptr) return;
  *link = mutex->__data.__list.__next;
  mutex->__data.__list.__next = nullptr;
}

// The effect of a lock operation on a mutex that is free (or not recoverable).
int take(pthread_mutex_t* mutex, Task& task, CallSite pc) {
  Mutex seen(mutex);
  if (seen.is_robust() && seen.data().__owner == kNotRecoverable) return ENOTRECOVERABLE;
  const bool died = seen.owner_died();
  if (died) seen.data().__owner = kInconsistent;
  seen.take(id_of(task));
  acquire_edge(address_of(mutex));
  add_held_lock(task, address_of(mutex), pc);
  if (seen.is_robust()) link_robust(task, mutex);
  scheduler().changed(address_of(mutex));
  return died ? EOWNERDEAD : 0;
}

int release(pthread_mutex_t* mutex, Task& holder) {
  Mutex seen(mutex);
  // A task that unlocks another task's mutex (a misuse) does not have the mutex's past.
  if (&holder == &scheduler().current()) {
    release_edge_alone(address_of(mutex));
  } else {
    release_edge(address_of(mutex));
  }
  const bool inconsistent = seen.is_robust() && seen.data().__owner == kInconsistent;
  if (seen.is_robust()) unlink_robust(holder, mutex);
  seen.release();
  if (inconsistent) seen.data().__owner = kNotRecoverable;
  remove_held_lock(holder, address_of(mutex));
  scheduler().changed(address_of(mutex));
  return 0;
}

// A lock by the task that holds it already. `kind` says which lock function it was.
int lock_again(pthread_mutex_t* mutex, const Operation& operation, std::uint64_t deadline) {
  Mutex seen(mutex);
  const bool is_try = operation.kind == OperationKind::mutex_try_lock;
  if (seen.type() == PTHREAD_MUTEX_RECURSIVE) {
    reach_point(operation);
    if (seen.data().__count == UINT_MAX) return EAGAIN;
    ++seen.data().__count;
    return 0;
  }
  if (seen.type() == PTHREAD_MUTEX_ERRORCHECK) {
    reach_point(operation);
    // glibc's trylock returns "busy" even to the owner, unless the mutex is robust.
    return is_try && !seen.is_robust() ? EBUSY : EDEADLK;
  }
  if (is_try) {
    reach_point(operation);
    return EBUSY;
  }
  if (deadline != kNever) {
    begin_timed_wait(deadline);
    reach_point(operation, Wait{address_of(mutex), &mutex_is_free, mutex, deadline, false, &mutex_holder});
    return ETIMEDOUT;
  }
  report_on_operation(FindingKind::lock_misuse,
                      "a task locks a mutex that it already holds: it waits for itself forever", operation);
  scheduler().stop();
}

// Is the mutex alive? One that was destroyed takes part in nothing any more: its state is that.
bool may_use_mutex(const Operation& operation) {
  return may_use(operation) || !view(reinterpret_cast<void*>(operation.object)).is_destroyed();
}

int lock_with_deadline(pthread_mutex_t* mutex, const Operation& operation, std::uint64_t deadline) {
  Task& task = scheduler().current();
  Mutex seen(mutex);
  const auto is_over = [&] {
    Operation mine = operation;
    mine.task = task.id;
    return object_is_over(mine);
  };
  if (seen.holder() == id_of(task) && !is_over()) return lock_again(mutex, operation, deadline);
  if (deadline == kNever) {
    note_lock_order(task, operation);
  } else if (!mutex_is_free(mutex, task)) {
    begin_timed_wait(deadline);
  }
  const Turn turn =
      reach_point(operation, Wait{address_of(mutex), &mutex_is_free, mutex, deadline, false, &mutex_holder});
  if (turn == Turn::timed_out) return ETIMEDOUT;
  if (!may_use_mutex(operation)) return EINVAL;
  return take(mutex, task, operation.pc);
}

// What unlock does when it is chosen.
int unlock_now(pthread_mutex_t* mutex, const Operation& operation) {
  Task& task = scheduler().current();
  Mutex seen(mutex);
  if (!may_use_mutex(operation_on(OperationKind::mutex_unlock, mutex, operation.pc))) return EINVAL;
  const int holder = seen.holder();
  if (holder == id_of(task)) {
    if (seen.type() == PTHREAD_MUTEX_RECURSIVE && seen.data().__count > 1) {
      --seen.data().__count;
      return 0;
    }
    return release(mutex, task);
  }
  if (seen.is_checked()) return EPERM;
  if (holder == 0) {
    report_on_operation(FindingKind::lock_misuse, "a task unlocks a mutex that no task holds", operation);
    return 0;
  }
  report_on_operation(FindingKind::lock_misuse, "a task unlocks a mutex that another task holds", operation);
  Task* owner = scheduler().task(static_cast<TaskId>(holder - 1));
  return release(mutex, owner != nullptr ? *owner : task);
}

}  // namespace

int mutex_lock(pthread_mutex_t* mutex, CallSite pc) {
  return lock_with_deadline(mutex, operation_on(OperationKind::mutex_lock, mutex, pc), kNever);
}

int mutex_try_lock(pthread_mutex_t* mutex, CallSite pc) {
  Task& task = scheduler().current();
  const Operation operation = operation_on(OperationKind::mutex_try_lock, mutex, pc);
  Mutex seen(mutex);
  if (seen.holder() == id_of(task)) return lock_again(mutex, operation, kNever);
  reach_point(operation);
  if (!may_use_mutex(operation)) return EINVAL;
  if (!mutex_is_free(mutex, task)) return EBUSY;
  return take(mutex, task, operation.pc);
}

int mutex_clock_lock(pthread_mutex_t* mutex, clockid_t clock, const timespec* deadline, CallSite pc) {
  if (!is_wait_clock(clock)) return EINVAL;
  Operation operation = operation_on(OperationKind::mutex_timed_lock, mutex, pc);
  // As in glibc a bad deadline matters only to a call that has to wait.
  if (!has_valid_nanoseconds(*deadline)) {
    operation.kind = OperationKind::mutex_try_lock;
    reach_point(operation);
    if (!may_use_mutex(operation)) return EINVAL;
    Task& task = scheduler().current();
    if (mutex_is_free(mutex, task)) return take(mutex, task, operation.pc);
    return Mutex(mutex).holder() == id_of(task) && Mutex(mutex).type() != PTHREAD_MUTEX_NORMAL
               ? lock_again(mutex, operation, 0)
               : EINVAL;
  }
  operation.value = deadline_at(clock, *deadline);
  return lock_with_deadline(mutex, operation, operation.value);
}

int mutex_unlock(pthread_mutex_t* mutex, CallSite pc) {
  const Operation operation = operation_on(OperationKind::mutex_unlock, mutex, pc);
  reach_point(operation);
  return unlock_now(mutex, operation);
}

void mutex_created(pthread_mutex_t* mutex) {
  object_created(mutex);
  forget_edges(address_of(mutex));
  lock_order_forget(address_of(mutex), sizeof *mutex);
}

int mutex_destroy(pthread_mutex_t* mutex, CallSite pc) {
  const Operation operation = operation_on(OperationKind::mutex_destroy, mutex, pc);
  reach_point(operation);
  Mutex seen(mutex);
  if (!may_use_mutex(operation)) return EINVAL;
  if (!seen.is_free() && !seen.is_robust()) {
    if (!seen.is_checked()) {
      report_on_operation(FindingKind::lock_misuse, "a task destroys a mutex that is locked", operation);
    }
    return EBUSY;
  }
  mutex_created(mutex);  // nothing of it is left, either
  seen.data().__kind = kDestroyed;
  object_destroyed(operation);
  scheduler().changed(address_of(mutex));
  return 0;
}

int mutex_make_consistent(pthread_mutex_t* mutex) {
  Mutex seen(mutex);
  if (!seen.is_robust() || seen.data().__owner != kInconsistent) return EINVAL;
  seen.data().__owner = seen.holder();
  return 0;
}

int mutex_get_ceiling(const pthread_mutex_t* mutex, int* ceiling) {
  const Mutex seen = view(mutex);
  if (!seen.is_protected()) return EINVAL;
  *ceiling = static_cast<int>(seen.ceiling());
  return 0;
}

int mutex_set_ceiling(pthread_mutex_t* mutex, int ceiling, int* old_ceiling, CallSite pc) {
  Mutex seen(mutex);
  if (!seen.is_protected()) return EINVAL;
  if (ceiling < sched_get_priority_min(SCHED_FIFO) || ceiling > sched_get_priority_max(SCHED_FIFO)) return EINVAL;
  const bool locked = seen.holder() != id_of(scheduler().current());
  if (locked) {
    if (const int error = mutex_lock(mutex, pc)) return error;
  } else if (seen.type() == PTHREAD_MUTEX_ERRORCHECK) {
    return EDEADLK;
  }
  if (old_ceiling != nullptr) *old_ceiling = static_cast<int>(seen.ceiling());
  seen.set_ceiling(static_cast<unsigned>(ceiling));
  return locked ? mutex_unlock(mutex, pc) : 0;
}

int mutex_release_for_wait(pthread_mutex_t* mutex, const Operation& operation) { return unlock_now(mutex, operation); }

int mutex_take_back(pthread_mutex_t* mutex, CallSite pc) {
  const Operation operation = operation_on(OperationKind::mutex_lock, mutex, pc);
  return lock_with_deadline(mutex, operation, kNever);
}

void abandon_robust_mutexes(Task& task) {
  while (task.primitive.robust_list != nullptr) {
    auto* mutex = static_cast<pthread_mutex_t*>(task.primitive.robust_list);
    release(mutex, task);
    // A robust mutex abandoned while inconsistent is inconsistent for the next owner again, not lost forever.
    mutex->__data.__owner = 0;
    mutex->__data.__lock = kOwnerDied;
    scheduler().changed(address_of(mutex));
  }
}

}  // namespace ravel

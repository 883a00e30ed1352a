// SPDX-License-Identifier: Apache-2.0
#include "runtime/interpose/rwlock_operations.h"

#include <cerrno>

#include "runtime/interpose/held_locks.h"
#include "runtime/interpose/lock_order.h"
#include "runtime/interpose/object_lives.h"
#include "runtime/interpose/sync_edges.h"
#include "runtime/interpose/virtual_time.h"

namespace ravel {
namespace {

// glibc's encoding of __readers: the count above three flag bits; both low bits mean "locked by a writer".
constexpr unsigned kReaderShift = 3;
constexpr unsigned kWriteLocked = 3;

class RwLock {
 public:
  explicit RwLock(pthread_rwlock_t* lock) : data_(lock->__data) {}

  unsigned readers() const { return data_.__readers >> kReaderShift; }
  int writer() const { return data_.__cur_writer; }  // 1 + id, or 0
  bool is_free() const { return readers() == 0 && writer() == 0; }
  bool prefers_writers() const { return data_.__flags == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP; }
  bool readers_may_enter() const { return writer() == 0 && !(prefers_writers() && data_.__writers > 0); }

  void add_reader() { data_.__readers += 1U << kReaderShift; }
  void remove_reader() { data_.__readers -= 1U << kReaderShift; }
  void set_writer(int id) {
    data_.__cur_writer = id;
    data_.__readers = id == 0 ? 0 : kWriteLocked;
  }
  void add_waiting_writer() { ++data_.__writers; }
  void remove_waiting_writer() {
    if (data_.__writers > 0) --data_.__writers;
  }

 private:
  __pthread_rwlock_arch_t& data_;
};

RwLock view(const void* lock) { return RwLock(static_cast<pthread_rwlock_t*>(const_cast<void*>(lock))); }

bool may_read(const void* lock, const Task&) { return view(lock).readers_may_enter(); }
bool may_write(const void* lock, const Task&) { return view(lock).is_free(); }

TaskId writer_of(const void* lock) {
  const int writer = view(lock).writer();
  return writer == 0 ? kNoTask : static_cast<TaskId>(writer - 1);
}

int id_of(const Task& task) { return static_cast<int>(task.id) + 1; }

// What unlocks leave behind, kept apart for readers and writers: readers are ordered after writers, but not after each
// other.
std::uint64_t writers_past(const pthread_rwlock_t* lock) { return address_of(lock); }
std::uint64_t readers_past(const pthread_rwlock_t* lock) { return address_of(lock) + 1; }

int enter_as_reader(pthread_rwlock_t* lock, Task& task, CallSite pc) {
  RwLock(lock).add_reader();
  acquire_edge(writers_past(lock));
  add_held_lock(task, address_of(lock), pc, true);
  scheduler().changed(address_of(lock));
  return 0;
}

int enter_as_writer(pthread_rwlock_t* lock, Task& task, CallSite pc) {
  RwLock(lock).set_writer(id_of(task));
  acquire_edge(writers_past(lock));
  acquire_edge(readers_past(lock));
  add_held_lock(task, address_of(lock), pc);
  scheduler().changed(address_of(lock));
  return 0;
}

int read_lock(pthread_rwlock_t* lock, std::uint64_t deadline, CallSite pc) {
  Task& task = scheduler().current();
  const Operation operation = operation_on(OperationKind::rwlock_read_lock, lock, pc);
  if (RwLock(lock).writer() == id_of(task)) {
    reach_point(operation);
    return EDEADLK;
  }
  if (deadline == kNever) {
    note_lock_order(task, operation);
  } else if (!may_read(lock, task)) {
    begin_timed_wait(deadline);
  }
  const Turn turn = reach_point(operation, Wait{address_of(lock), &may_read, lock, deadline, false, &writer_of});
  if (turn == Turn::timed_out) return ETIMEDOUT;
  may_use(operation);
  return enter_as_reader(lock, task, pc);
}

int write_lock(pthread_rwlock_t* lock, std::uint64_t deadline, CallSite pc) {
  Task& task = scheduler().current();
  const Operation operation = operation_on(OperationKind::rwlock_write_lock, lock, pc);
  if (RwLock(lock).writer() == id_of(task)) {
    reach_point(operation);
    return EDEADLK;
  }
  if (deadline == kNever) note_lock_order(task, operation);
  const bool queues = RwLock(lock).prefers_writers();
  if (queues) {
    // A step of its own: from here on, readers wait that could have entered before.
    reach_point(operation_on(OperationKind::rwlock_queue_writer, lock, pc));
    RwLock(lock).add_waiting_writer();
    scheduler().changed(address_of(lock));
  }
  if (deadline != kNever && !may_write(lock, task)) begin_timed_wait(deadline);
  const Turn turn = reach_point(operation, Wait{address_of(lock), &may_write, lock, deadline, false, &writer_of});
  if (queues) RwLock(lock).remove_waiting_writer();
  if (turn == Turn::timed_out) {
    if (queues) scheduler().changed(address_of(lock));  // readers held back by this writer
    return ETIMEDOUT;
  }
  may_use(operation);
  return enter_as_writer(lock, task, pc);
}

bool is_valid_deadline(clockid_t clock, const timespec& deadline) {
  return is_wait_clock(clock) && has_valid_nanoseconds(deadline);
}

}  // namespace

int rwlock_read_lock(pthread_rwlock_t* lock, CallSite pc) { return read_lock(lock, kNever, pc); }

int rwlock_try_read_lock(pthread_rwlock_t* lock, CallSite pc) {
  Task& task = scheduler().current();
  const Operation operation = operation_on(OperationKind::rwlock_try_read_lock, lock, pc);
  reach_point(operation);
  may_use(operation);
  return may_read(lock, task) ? enter_as_reader(lock, task, pc) : EBUSY;
}

int rwlock_clock_read_lock(pthread_rwlock_t* lock, clockid_t clock, const timespec* deadline, CallSite pc) {
  if (!is_valid_deadline(clock, *deadline)) return EINVAL;
  return read_lock(lock, deadline_at(clock, *deadline), pc);
}

int rwlock_write_lock(pthread_rwlock_t* lock, CallSite pc) { return write_lock(lock, kNever, pc); }

int rwlock_try_write_lock(pthread_rwlock_t* lock, CallSite pc) {
  Task& task = scheduler().current();
  const Operation operation = operation_on(OperationKind::rwlock_try_write_lock, lock, pc);
  reach_point(operation);
  may_use(operation);
  return may_write(lock, task) ? enter_as_writer(lock, task, pc) : EBUSY;
}

int rwlock_clock_write_lock(pthread_rwlock_t* lock, clockid_t clock, const timespec* deadline, CallSite pc) {
  if (!is_valid_deadline(clock, *deadline)) return EINVAL;
  return write_lock(lock, deadline_at(clock, *deadline), pc);
}

int rwlock_unlock(pthread_rwlock_t* lock, CallSite pc) {
  Task& task = scheduler().current();
  // 1: a reader's, which readers do not notice.
  const Operation operation = operation_on(OperationKind::rwlock_unlock, lock, pc, RwLock(lock).writer() == 0 ? 1 : 0);
  reach_point(operation);
  RwLock seen(lock);
  if (!may_use(operation) && seen.is_free()) return 0;
  if (seen.is_free()) {
    report_on_operation(FindingKind::lock_misuse, "a task unlocks a read-write lock that no task holds", operation);
    return 0;
  }
  const bool kept_all = task.held.count <= HeldLocks::kCapacity;
  if (kept_all && !holds_lock(task, address_of(lock))) {
    report_on_operation(FindingKind::lock_misuse, "a task unlocks a read-write lock that only other tasks hold",
                        operation);
  }
  if (seen.writer() != 0) {
    Task* holder = scheduler().task(static_cast<TaskId>(seen.writer() - 1));
    seen.set_writer(0);
    if (holder == &task) {
      release_edge_alone(writers_past(lock));
    } else {
      release_edge(writers_past(lock));
    }
    remove_held_lock(holder != nullptr ? *holder : task, address_of(lock));
  } else {
    seen.remove_reader();
    release_edge(readers_past(lock));
    remove_held_lock(task, address_of(lock));
  }
  scheduler().changed(address_of(lock));
  return 0;
}

void rwlock_created(pthread_rwlock_t* lock) {
  object_created(lock);
  forget_edges(writers_past(lock));
  forget_edges(readers_past(lock));
  lock_order_forget(address_of(lock), sizeof *lock);
}

int rwlock_destroy(pthread_rwlock_t* lock, CallSite pc) {
  const Operation operation = operation_on(OperationKind::rwlock_destroy, lock, pc);
  reach_point(operation);
  may_use(operation);
  const bool in_use = !RwLock(lock).is_free();
  if (in_use) {
    report_on_operation(FindingKind::lock_misuse, "a task destroys a read-write lock that is locked", operation);
  }
  rwlock_created(lock);  // nothing of it is left, either
  object_destroyed(operation, in_use);
  return 0;
}

}  // namespace ravel

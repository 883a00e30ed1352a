// SPDX-License-Identifier: Apache-2.0
#include "runtime/interpose/condition_operations.h"

#include <cerrno>

#include "runtime/interpose/mutex_operations.h"
#include "runtime/interpose/object_lives.h"
#include "runtime/interpose/virtual_time.h"
#include "runtime/interpose/waiter_queue.h"

namespace ravel {
namespace {

// Condition variables whose latest notification found nobody waiting. A hint for classifying a deadlock, so a bounded
// table that forgets the oldest on collision is enough.
class LostNotifications {
 public:
  void set(std::uint64_t condition, bool lost) {
    std::uint64_t& place = entries_[index_of(condition)];
    if (lost) {
      place = condition;
    } else if (place == condition) {
      place = 0;
    }
  }
  bool contains(std::uint64_t condition) const { return entries_[index_of(condition)] == condition; }

 private:
  static constexpr std::uint32_t kEntries = 4096;
  static std::uint64_t index_of(std::uint64_t condition) { return (condition * 0x9e3779b97f4a7c15ULL) >> 52; }
  std::uint64_t entries_[kEntries] = {};
};
constinit LostNotifications g_lost_notifications;

// glibc's encoding of the attribute: bit 1 of __wrefs.
clockid_t clock_of(const pthread_cond_t* condition) {
  return (condition->__data.__wrefs & 2) != 0 ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

int wait(pthread_cond_t* condition, pthread_mutex_t* mutex, std::uint64_t deadline, CallSite pc) {
  test_cancel();
  Task& task = scheduler().current();
  const bool timed = deadline != kNever;
  Operation operation = operation_on(timed ? OperationKind::condition_timed_wait : OperationKind::condition_wait,
                                     condition, pc, address_of(mutex));
  reach_point(operation);
  may_use(operation);

  // From here to the second point no other task runs: releasing the mutex and beginning to wait are one step.
  if (const int error = mutex_release_for_wait(mutex, operation)) return error;
  enqueue_waiter(address_of(condition), task);
  if (scheduler().choose_environment(EnvironmentKind::spurious_wakeup, 2) == 1) {
    notify_waiter(task);
  } else if (timed) {
    begin_timed_wait(deadline);
  }
  operation.kind = OperationKind::condition_wake;
  const Turn turn =
      reach_point(operation, Wait{own_key(task), &waiter_is_notified, condition, deadline, true, nullptr});
  dequeue_waiter(task);
  const bool notified = task.primitive.notified;

  const int relock = mutex_take_back(mutex, pc);
  if (turn == Turn::cancelled) {
    // A notification that chose a cancelled waiter must not be lost for the others (POSIX).
    if (notified) notify_one_waiter(address_of(condition));
    cancel_current();
  }
  if (relock != 0) return relock;
  return notified ? 0 : ETIMEDOUT;
}

}  // namespace

int condition_wait(pthread_cond_t* condition, pthread_mutex_t* mutex, CallSite pc) {
  return wait(condition, mutex, kNever, pc);
}

int condition_timed_wait(pthread_cond_t* condition, pthread_mutex_t* mutex, const timespec* deadline, CallSite pc) {
  if (!has_valid_nanoseconds(*deadline)) return EINVAL;
  return wait(condition, mutex, deadline_at(clock_of(condition), *deadline), pc);
}

int condition_clock_wait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock, const timespec* deadline,
                         CallSite pc) {
  if (!has_valid_nanoseconds(*deadline) || !is_wait_clock(clock)) return EINVAL;
  return wait(condition, mutex, deadline_at(clock, *deadline), pc);
}

int condition_signal(pthread_cond_t* condition, CallSite pc) {
  const Operation operation = operation_on(OperationKind::condition_signal, condition, pc);
  reach_point(operation);
  may_use(operation);
  g_lost_notifications.set(address_of(condition), !notify_one_waiter(address_of(condition)));
  return 0;
}

int condition_broadcast(pthread_cond_t* condition, CallSite pc) {
  const Operation operation = operation_on(OperationKind::condition_broadcast, condition, pc);
  reach_point(operation);
  may_use(operation);
  g_lost_notifications.set(address_of(condition), notify_all_waiters(address_of(condition)) == 0);
  return 0;
}

int condition_destroy(pthread_cond_t* condition, CallSite pc) {
  const Operation operation = operation_on(OperationKind::condition_destroy, condition, pc);
  reach_point(operation);
  may_use(operation);
  const bool in_use = first_waiter(address_of(condition)) != nullptr;
  if (in_use) {
    report_on_operation(FindingKind::lock_misuse, "a task destroys a condition variable on which another task waits",
                        operation);
  }
  g_lost_notifications.set(address_of(condition), false);
  object_destroyed(operation, in_use);
  return 0;
}

void condition_created(pthread_cond_t* condition) {
  object_created(condition);
  g_lost_notifications.set(address_of(condition), false);
}

bool notify_was_lost(std::uint64_t condition) { return g_lost_notifications.contains(condition); }

}  // namespace ravel

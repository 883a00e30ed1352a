// SPDX-License-Identifier: Apache-2.0
#include "runtime/interpose/barrier_operations.h"

#include "runtime/interpose/waiter_queue.h"

namespace ravel {
namespace {

// glibc's layout; pthread_barrier_init (the real one) has set it up.
struct BarrierFields {
  unsigned arrived;
  unsigned current_round;
  unsigned count;
  int shared;
  unsigned left;
};
static_assert(sizeof(BarrierFields) <= sizeof(pthread_barrier_t));

}  // namespace

int barrier_wait(pthread_barrier_t* barrier, CallSite pc) {
  Task& task = scheduler().current();
  const Operation operation = operation_on(OperationKind::barrier_wait, barrier, pc);
  reach_point(operation);
  auto* fields = reinterpret_cast<BarrierFields*>(barrier);
  if (++fields->arrived == fields->count) {
    fields->arrived = 0;
    notify_all_waiters(address_of(barrier));
    return PTHREAD_BARRIER_SERIAL_THREAD;
  }
  enqueue_waiter(address_of(barrier), task);
  reach_point(operation, Wait{own_key(task), &waiter_is_notified, barrier, kNever, false, nullptr});
  return 0;
}

int barrier_destroy(pthread_barrier_t* barrier, CallSite pc) {
  const Operation operation = operation_on(OperationKind::barrier_wait, barrier, pc);
  reach_point(operation);
  if (first_waiter(address_of(barrier)) != nullptr) {
    report_on_operation(FindingKind::lock_misuse, "a task destroys a barrier at which another waits", operation);
  }
  return 0;
}

}  // namespace ravel

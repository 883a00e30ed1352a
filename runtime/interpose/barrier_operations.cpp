// SPDX-License-Identifier: Apache-2.0
#include "runtime/interpose/barrier_operations.h"

#include "runtime/interpose/object_lives.h"
#include "runtime/interpose/sync_edges.h"
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

// The last task arrives: it and all that wait learn what each of them did before arriving. They learn it here and not
// when they leave, because by then others may have arrived for the next round.
void open_barrier(std::uint64_t barrier) {
  acquire_edge(barrier);
  for (Task* task = first_waiter(barrier); task != nullptr; task = next_waiter(*task)) {
    acquire_edge_for(task->id, barrier);
  }
  forget_edges(barrier);
  notify_all_waiters(barrier);
}

}  // namespace

void barrier_created(pthread_barrier_t* barrier) {
  object_created(barrier);
  forget_edges(address_of(barrier));
}

int barrier_wait(pthread_barrier_t* barrier, CallSite pc) {
  Task& task = scheduler().current();
  const Operation operation = operation_on(OperationKind::barrier_wait, barrier, pc);
  reach_point(operation);
  auto* fields = reinterpret_cast<BarrierFields*>(barrier);
  // Another process may have made something new of a barrier that it shares.
  if (fields->shared == 0) may_use(operation);
  release_edge(address_of(barrier));
  if (++fields->arrived == fields->count) {
    fields->arrived = 0;
    open_barrier(address_of(barrier));
    return PTHREAD_BARRIER_SERIAL_THREAD;
  }
  enqueue_waiter(address_of(barrier), task);
  Operation leave = operation;
  leave.value = 1;  // distinct from arriving: no task can notice when it is made
  reach_point(leave, Wait{own_key(task), &waiter_is_notified, barrier, kNever, false, nullptr});
  return 0;
}

int barrier_destroy(pthread_barrier_t* barrier, CallSite pc) {
  const Operation operation = operation_on(OperationKind::barrier_destroy, barrier, pc);
  reach_point(operation);
  if (reinterpret_cast<BarrierFields*>(barrier)->shared == 0) may_use(operation);
  const bool in_use = first_waiter(address_of(barrier)) != nullptr;
  if (in_use) {
    report_on_operation(FindingKind::lock_misuse, "a task destroys a barrier at which another task waits", operation);
  }
  forget_edges(address_of(barrier));
  object_destroyed(operation, in_use);
  return 0;
}

}  // namespace ravel

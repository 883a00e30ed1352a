// SPDX-License-Identifier: Apache-2.0
#include "runtime/interpose/once_operations.h"

#include <unwind.h>

#include "runtime/interpose/atomic_operations.h"
#include "runtime/interpose/object_lives.h"
#include "runtime/interpose/sync_edges.h"

extern "C" void ravel_guarded_call(void (*routine)());
extern "C" __attribute__((visibility("hidden"))) _Unwind_Reason_Code ravel_guarded_call_personality(
    int version, _Unwind_Action actions, _Unwind_Exception_Class exception_class, _Unwind_Exception* exception,
    _Unwind_Context* context);

namespace ravel {
namespace {

// glibc's encoding of pthread_once_t. While in progress the high bits say who runs it (1 + id).
constexpr int kOnceFresh = 0;
constexpr int kOnceInProgress = 1;
constexpr int kOnceDone = 2;
constexpr int kOnceStateMask = 3;
constexpr int kOnceTaskShift = 2;

bool once_is_settled(const void* control, const Task&) {
  return (*static_cast<const int*>(control) & kOnceStateMask) != kOnceInProgress;
}

TaskId once_holder(const void* control) {
  const int word = *static_cast<const int*>(control);
  return (word & kOnceStateMask) == kOnceInProgress ? static_cast<TaskId>((word >> kOnceTaskShift) - 1) : kNoTask;
}

// A routine in progress, on the stack of the task that runs it.
struct RunningOnce {
  pthread_once_t* control;
  RunningOnce* outer;
};

void set_state(pthread_once_t* control, int state) {
  *control = state;
  scheduler().changed(address_of(control));
}

// The innermost routine was left by an exception, pthread_exit or cancellation: another task may try.
void forget_innermost_once() {
  Task& task = scheduler().current();
  auto* innermost = static_cast<RunningOnce*>(task.primitive.once_list);
  if (innermost == nullptr) return;
  task.primitive.once_list = innermost->outer;
  release_edge_alone(address_of(innermost->control));
  set_state(innermost->control, kOnceFresh);
}

// Guards as the Itanium C++ ABI has them: first byte "done". The rest is ours: second byte "in progress", upper half
// the task that initialises it (1 + id).
struct GuardFields {
  std::uint8_t done;
  std::uint8_t in_progress;
  std::uint16_t unused;
  std::uint32_t task;
};
static_assert(sizeof(GuardFields) == sizeof(std::uint64_t));

GuardFields& fields_of(std::uint64_t* guard) { return *reinterpret_cast<GuardFields*>(guard); }

bool guard_is_settled(const void* guard, const Task&) {
  return static_cast<const GuardFields*>(guard)->in_progress == 0;
}

TaskId guard_holder(const void* guard) {
  const auto* fields = static_cast<const GuardFields*>(guard);
  return fields->in_progress != 0 ? fields->task - 1 : kNoTask;
}

void settle_guard(std::uint64_t* guard, bool done, CallSite pc) {
  reach_point(operation_on(OperationKind::guard_release, guard, pc));
  GuardFields& fields = fields_of(guard);
  fields.in_progress = 0;
  fields.task = 0;
  __atomic_store_n(&fields.done, done ? 1 : 0, __ATOMIC_RELEASE);
  publish_atomic_byte(&fields.done, pc);  // instrumented code looks at this byte with a load of its own
  scheduler().memory_written(address_of(guard), 1);
  scheduler().changed(address_of(guard));
}

}  // namespace

int once(pthread_once_t* control, void (*routine)(), CallSite pc) {
  // Done stays done: no task can notice when it is checked. (The unwinder checks one for every exception.)
  const Operation operation = operation_on(OperationKind::once_begin, control, pc);
  if (*control == kOnceDone) {
    may_use(operation);
    acquire_edge(address_of(control));
    return 0;
  }
  Task& task = scheduler().current();
  reach_point(operation, Wait{address_of(control), &once_is_settled, control, kNever, false, &once_holder});
  may_use(operation);
  acquire_edge(address_of(control));
  if (*control == kOnceDone) return 0;
  set_state(control, kOnceInProgress | static_cast<int>((task.id + 1) << kOnceTaskShift));
  RunningOnce running{control, static_cast<RunningOnce*>(task.primitive.once_list)};
  task.primitive.once_list = &running;
  ravel_guarded_call(routine);
  task.primitive.once_list = running.outer;
  reach_point(operation_on(OperationKind::once_end, control, pc));
  release_edge_alone(address_of(control));
  set_state(control, kOnceDone);
  return 0;
}

int guard_acquire(std::uint64_t* guard, CallSite pc) {
  reach_point(operation_on(OperationKind::guard_acquire, guard, pc),
              Wait{address_of(guard), &guard_is_settled, guard, kNever, false, &guard_holder});
  GuardFields& fields = fields_of(guard);
  acquire_atomic_byte(&fields.done, pc);
  if (fields.done != 0) return 0;
  fields.in_progress = 1;
  fields.task = scheduler().current().id + 1;
  scheduler().changed(address_of(guard));
  return 1;
}

void guard_release(std::uint64_t* guard, CallSite pc) { settle_guard(guard, true, pc); }
void guard_abort(std::uint64_t* guard, CallSite pc) { settle_guard(guard, false, pc); }

}  // namespace ravel

// Called by the unwinder for the frame of ravel_guarded_call. It handles nothing; in the second phase, when the frame
// is about to be removed, it resets the once control.
_Unwind_Reason_Code ravel_guarded_call_personality(int, _Unwind_Action actions, _Unwind_Exception_Class,
                                                   _Unwind_Exception*, _Unwind_Context*) {
  if ((actions & _UA_CLEANUP_PHASE) != 0) ravel::forget_innermost_once();
  return _URC_CONTINUE_UNWIND;
}

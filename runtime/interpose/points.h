// SPDX-License-Identifier: Apache-2.0
// What every primitive needs at its scheduling point: build the operation, reach it, and on the way out act on signals
// and cancellation that arrived in the meantime.
//
// Called by the *_operations files only, on the running task. errno of the program is kept across a point.
#pragma once

#include <cstdint>

#include "runtime/scheduler/scheduler.h"

// The return address of the exported function that uses it: where in the program the operation is.
#define RAVEL_CALL_SITE reinterpret_cast<std::uint64_t>(__builtin_return_address(0))

namespace ravel {

using CallSite = std::uint64_t;

inline std::uint64_t address_of(const volatile void* object) { return reinterpret_cast<std::uint64_t>(object); }

inline Operation operation_on(OperationKind kind, std::uint64_t object, CallSite pc, std::uint64_t value = 0) {
  Operation operation;
  operation.kind = kind;
  operation.object = object;
  operation.pc = pc;
  operation.value = value;
  return operation;
}

inline Operation operation_on(OperationKind kind, const volatile void* object, CallSite pc, std::uint64_t value = 0) {
  return operation_on(kind, address_of(object), pc, value);
}

// Scheduler::reach, then delivery of what other tasks sent to this one. A cancelled wait is returned to the caller,
// which first cleans up its object and then calls cancel_current().
Turn reach_point(const Operation& operation, const Wait& wait);

// The same for an operation that waits for nothing.
void reach_point(const Operation& operation);

// The key of waits that end when this very task is notified (Task::primitive.notified), not by an object's state.
inline std::uint64_t own_key(const Task& task) { return address_of(&task.primitive); }

// Reports a finding about the current task's operation.
void report_on_operation(FindingKind kind, const char* message, Operation operation);

// Cancellation. A function that is a cancellation point begins with test_cancel().
bool cancellation_due(const Task& task);
void test_cancel();
[[noreturn]] void cancel_current();

// Signals sent by other tasks, not yet delivered and not blocked; and any that came from outside.
bool signal_due(const Task& task);

// A signal has arrived since the wait began. Waits that signals interrupt (EINTR) have this in their ready function.
bool wait_interrupted(const Task& task);

// Ends the current task with this result: unwinds to the task's entry, running cleanup handlers and destructors.
[[noreturn]] void exit_current_task(void* result);

}  // namespace ravel

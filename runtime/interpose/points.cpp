// SPDX-License-Identifier: Apache-2.0
#include "runtime/interpose/points.h"

#include <cerrno>

#include "runtime/interpose/real_symbols.h"
#include "runtime/interpose/signal_operations.h"
#include "runtime/interpose/sync_edges.h"
#include "runtime/interpose/unseen_code.h"

namespace ravel {

Turn reach_point(const Operation& operation, const Wait& wait) {
  int& error = errno;  // part of the task's identity: the same place after the point
  const int saved_errno = error;
  Task& task = scheduler().current();
  task.primitive.interrupted = false;
  Turn turn = Turn::go;
  bool holds = false;
  while (!holds) {
    task.primitive.wait_key = wait.key;
    turn = scheduler().reach(operation, wait);
    task.primitive.wait_key = 0;
    if (has_unseen_code()) [[unlikely]]
      others_ran_during_call_from(operation.pc);
    // What the wait is for may be taken by somebody outside (another process) who tells nobody: wait again.
    holds = turn != Turn::timed_out || wait.deadline <= scheduler().now();
    if (signal_due(task)) [[unlikely]] {
      deliver_signals(task);
      // A handler may have let others run: what the wait was for may be gone again.
      holds = holds && (turn != Turn::go || wait.ready == nullptr || wait.ready(wait.object, task));
    }
  }
  error = saved_errno;
  if (task.primitive.cancel_asynchronous && turn != Turn::cancelled && cancellation_due(task)) [[unlikely]] {
    cancel_current();
  }
  return turn;
}

void reach_point(const Operation& operation) {
  int& error = errno;
  const int saved_errno = error;
  Task& task = scheduler().current();
  scheduler().pass(operation);
  if (has_unseen_code()) [[unlikely]]
    others_ran_during_call_from(operation.pc);
  if (signal_due(task)) [[unlikely]] {
    task.primitive.interrupted = false;
    deliver_signals(task);
  }
  error = saved_errno;
  if (task.primitive.cancel_asynchronous && cancellation_due(task)) [[unlikely]]
    cancel_current();
}

void report_on_operation(FindingKind kind, const char* message, Operation operation) {
  operation.task = scheduler().current().id;
  scheduler().report(kind, message, operation);
}

bool cancellation_due(const Task& task) {
  const PrimitiveState& state = task.primitive;
  return state.cancel_pending && !state.cancel_disabled && !state.exiting;
}

void test_cancel() {
  if (cancellation_due(scheduler().current())) [[unlikely]]
    cancel_current();
}

void cancel_current() {
  acquire_edge(edge_key(EdgeKind::cancellation, scheduler().current().id));
  exit_current_task(PTHREAD_CANCELED);
}

namespace {

bool has_signal(const Task& task) { return (task.primitive.pending_signals & ~task.primitive.blocked_signals) != 0; }

}  // namespace

bool signal_due(const Task& task) { return has_signal(task) || g_arrived_signals != 0; }

bool wait_interrupted(const Task& task) { return task.primitive.interrupted || has_signal(task); }

void exit_current_task(void* result) {
  PrimitiveState& state = scheduler().current().primitive;
  state.exiting = true;
  state.result = result;
  real().pthread_exit(result);
  __builtin_unreachable();
}

}  // namespace ravel

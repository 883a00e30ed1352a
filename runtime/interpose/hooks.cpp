// SPDX-License-Identifier: Apache-2.0
#include "runtime/interpose/hooks.h"

#include <stdio_ext.h>

#include "runtime/interpose/condition_operations.h"
#include "runtime/interpose/external_waits.h"
#include "runtime/interpose/fork_safety.h"
#include "runtime/interpose/object_lives.h"
#include "runtime/interpose/process_operations.h"
#include "runtime/interpose/real_symbols.h"
#include "runtime/interpose/sync_point_operations.h"
#include "runtime/interpose/timer_operations.h"
#include "runtime/resident/residence.h"

namespace ravel {
namespace {

void end_process(int exit_code) { real().exit(exit_code); }

void flush_output() {
  if (__fpending(stdout) == 0) return;  // most executions print nothing: two pages less that they write to
  // A thread in the middle of printing keeps the lock: waiting for it could take forever.
  if (real().ftrylockfile(stdout) != 0) return;
  fflush_unlocked(stdout);
  real().funlockfile(stdout);
}

}  // namespace

SchedulerHooks primitive_hooks() {
  install_fork_handler();
  remember_inherited_descriptors();
  SchedulerHooks hooks;
  hooks.run_exit_handlers = &run_task_exit_handlers;
  hooks.wait_for_external = &wait_for_external;
  hooks.outside_may_act = &outside_may_act;
  hooks.next_timer_signal = &next_timer_signal;
  hooks.send_timer_signals = &send_timer_signals;
  hooks.notify_was_lost = &notify_was_lost;
  hooks.object_is_alive = &object_is_alive;
  hooks.object_is_over = &object_is_over;
  hooks.tell_sync_wait = &tell_sync_wait;
  hooks.end_process = &end_process;
  hooks.end_at_once = &end_execution;
  hooks.flush_output = &flush_output;
  return hooks;
}

void main_returned(Task& task) {
  // exit follows, inside libc: this is its scheduling point.
  reach_point(operation_on(OperationKind::program_exit, std::uint64_t{0}, 0));
  note_program_end();
  report_locks_left(task);
}

}  // namespace ravel

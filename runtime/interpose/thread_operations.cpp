// SPDX-License-Identifier: Apache-2.0
#include "runtime/interpose/thread_operations.h"
#include "runtime/interpose/lock_order.h"
#include "runtime/interpose/memory_operations.h"

#include <string.h>
#include <unistd.h>

#include <cerrno>

#include "runtime/interpose/explored_body.h"
#include "runtime/interpose/memory_fast_path.h"
#include "runtime/interpose/real_symbols.h"
#include "runtime/interpose/scheduling_requests.h"
#include "runtime/interpose/sync_edges.h"
#include "runtime/interpose/virtual_time.h"
#include "runtime/resident/residence.h"

namespace ravel {
namespace {

bool task_has_ended(const void* task, const Task&) { return static_cast<const Task*>(task)->state == TaskState::ended; }

TaskId joined_task(const void* task) { return static_cast<const Task*>(task)->id; }

// A thread the program may still refer to: not joined, and not both detached and ended.
Task* named_task(pthread_t thread) {
  Task* task = scheduler().task_of_handle(thread);
  if (task == nullptr || task->primitive.joined) return nullptr;
  if (task->primitive.detached && task->state == TaskState::ended) return nullptr;
  return task;
}

int finish_join(Task& task, void** result) {
  task.primitive.joined = true;
  task.primitive.joiner = 0;
  if (result != nullptr) *result = task.primitive.result;
  join_edge(task.id);
  lock_order_task_joined(task.id);
  return 0;
}

int join_until(pthread_t thread, void** result, std::uint64_t deadline, CallSite pc) {
  Task& me = scheduler().current();
  Task* task = named_task(thread);
  if (task == nullptr) return ESRCH;
  if (task->primitive.detached) return EINVAL;
  const bool each_other = me.primitive.joiner == task->id + 1 && task->state == TaskState::live;
  if (task == &me || (each_other && !cancellation_due(me))) return EDEADLK;
  if (task->primitive.joiner != 0) return EINVAL;
  test_cancel();
  task->primitive.joiner = me.id + 1;
  if (task->state != TaskState::ended) begin_timed_wait(deadline);
  const Turn turn = reach_point(operation_on(OperationKind::task_join, task->id, pc),
                                Wait{Scheduler::join_key(*task), &task_has_ended, task, deadline, true, &joined_task});
  task->primitive.joiner = 0;
  if (turn == Turn::cancelled) cancel_current();
  if (turn == Turn::timed_out) return ETIMEDOUT;
  return finish_join(*task, result);
}

const char* program_name() {
  const char* path = program_invocation_short_name;
  return path == nullptr ? "" : path;
}

}  // namespace

int create_thread(pthread_t* thread, const pthread_attr_t* attributes, void* (*body)(void*), void* argument,
                  CallSite pc) {
  if (awaits_explore_call()) {
    leave_engine_until_call();
    return real().pthread_create(thread, attributes, body, argument);
  }
  const int saved_errno = errno;
  int error = 0;
  const Operation operation = operation_on(OperationKind::task_create, std::uint64_t{0}, pc);
  Task* task = scheduler().create(operation, body, argument, attributes, &error);
  errno = saved_errno;
  if (task == nullptr) return error;
  if (task->context->made_late) cannot_be_put_back();
  create_edge(task->id, scheduler().current().id);
  forget_fast_path();
  int detach_state = PTHREAD_CREATE_JOINABLE;
  if (attributes != nullptr) pthread_attr_getdetachstate(attributes, &detach_state);
  task->primitive.detached = detach_state == PTHREAD_CREATE_DETACHED;
  // A thread has its creator's name, signal mask and priorities until it gets its own.
  const Task& creator = scheduler().current();
  task->primitive.blocked_signals = creator.primitive.blocked_signals;
  task->primitive.asked = creator.primitive.asked;
  for (std::size_t i = 0; i < sizeof task->primitive.name; ++i) task->primitive.name[i] = creator.primitive.name[i];
  *thread = task->handle;
  return 0;
}

int join_thread(pthread_t thread, void** result, CallSite pc) { return join_until(thread, result, kNever, pc); }

int try_join_thread(pthread_t thread, void** result, CallSite pc) {
  Task* task = named_task(thread);
  if (task == nullptr) return ESRCH;
  reach_point(operation_on(OperationKind::task_join, task->id, pc, 1));  // 1: it does not wait
  if (task->state != TaskState::ended) return EBUSY;
  if (task->primitive.detached || task->primitive.joiner != 0) return EINVAL;
  return finish_join(*task, result);
}

int clock_join_thread(pthread_t thread, void** result, clockid_t clock, const timespec* deadline, CallSite pc) {
  if (deadline == nullptr) return join_until(thread, result, kNever, pc);
  if (!is_wait_clock(clock)) return EINVAL;
  // As in glibc a bad deadline matters only to a call that has to wait.
  if (!has_valid_nanoseconds(*deadline)) {
    Task* task = named_task(thread);
    if (task != nullptr && task->state == TaskState::live && task != &scheduler().current()) return EINVAL;
    return join_until(thread, result, kNever, pc);
  }
  return join_until(thread, result, deadline_at(clock, *deadline), pc);
}

int detach_thread(pthread_t thread, CallSite pc) {
  Task* task = named_task(thread);
  if (task == nullptr) return ESRCH;
  reach_point(operation_on(OperationKind::task_detach, task->id, pc));
  if (task->primitive.detached) return EINVAL;
  task->primitive.detached = true;
  return 0;
}

void join_all_tasks(CallSite pc) {
  for (TaskId id = 0; id < scheduler().task_count(); ++id) {  // they may create more
    Task* const task = scheduler().task(id);
    if (task == &scheduler().current() || task->state == TaskState::ended) continue;
    reach_point(operation_on(OperationKind::task_join, task->id, pc),
                Wait{Scheduler::join_key(*task), &task_has_ended, task, kNever, false, &joined_task});
    join_edge(task->id);
  }
}

int cancel_thread(pthread_t thread, CallSite pc) {
  Task* task = scheduler().task_of_handle(thread);
  if (task == nullptr) return ESRCH;
  reach_point(operation_on(OperationKind::task_cancel, task->id, pc));
  if (task->state == TaskState::ended) return 0;
  release_edge(edge_key(EdgeKind::cancellation, task->id));
  task->primitive.cancel_pending = true;
  scheduler().changed(task->primitive.wait_key);
  if (task == &scheduler().current() && task->primitive.cancel_asynchronous) test_cancel();
  return 0;
}

int set_cancel_state(int state, int* old_state) {
  if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE) return EINVAL;
  PrimitiveState& mine = scheduler().current().primitive;
  if (old_state != nullptr) *old_state = mine.cancel_disabled ? PTHREAD_CANCEL_DISABLE : PTHREAD_CANCEL_ENABLE;
  mine.cancel_disabled = state == PTHREAD_CANCEL_DISABLE;
  if (mine.cancel_asynchronous) test_cancel();
  return 0;
}

int set_cancel_type(int type, int* old_type) {
  if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS) return EINVAL;
  PrimitiveState& mine = scheduler().current().primitive;
  if (old_type != nullptr) *old_type = mine.cancel_asynchronous ? PTHREAD_CANCEL_ASYNCHRONOUS : PTHREAD_CANCEL_DEFERRED;
  mine.cancel_asynchronous = type == PTHREAD_CANCEL_ASYNCHRONOUS;
  if (mine.cancel_asynchronous) test_cancel();
  return 0;
}

int set_thread_name(pthread_t thread, const char* name) {
  Task* task = named_task(thread);
  if (task == nullptr) return ESRCH;
  const std::size_t length = strlen(name);
  if (length >= sizeof task->primitive.name) return ERANGE;
  memcpy(task->primitive.name, name, length + 1);
  Channel& channel = scheduler().channel();
  if (task->id < kMaxTaskRecords) memcpy(channel.result.task[task->id].name, name, length + 1);
  return 0;
}

int get_thread_name(pthread_t thread, char* name, std::size_t size) {
  const Task* task = named_task(thread);
  if (task == nullptr) return ESRCH;
  constexpr std::size_t kSize = sizeof task->primitive.name;
  if (size < kSize) return ERANGE;
  const char* from = task->primitive.name[0] != '\0' ? task->primitive.name : program_name();
  std::size_t length = 0;
  while (from[length] != '\0' && length + 1 < kSize) {
    name[length] = from[length];
    ++length;
  }
  name[length] = '\0';
  return 0;
}

int get_thread_attributes(pthread_t thread, pthread_attr_t* attributes) {
  const int error = real().pthread_getattr_np(thread, attributes);
  const Task* const task = scheduler().task_of_handle(thread);
  if (task == nullptr || task->id == 0 || (error != 0 && error != ESRCH)) return error;
  // For a fiber libc knows only the donor's stack. It also asks the kernel for the processors of the thread, whom the
  // kernel does not know; everything else has been filled in by then.
  const CarrierContext& context = *task->context;
  if (context.stack_is_programs || context.made_late) return 0;
  constexpr std::size_t kGuard = 4096;
  pthread_attr_setguardsize(attributes, kGuard);
  return pthread_attr_setstack(attributes, reinterpret_cast<void*>(context.stack_low),
                               context.stack_high - context.stack_low);
}

int set_schedule(pthread_t thread, int policy, const sched_param* parameters) {
  Task* task = named_task(thread);
  return task == nullptr ? ESRCH : set_policy(*task, policy, parameters);
}

int set_schedule_priority(pthread_t thread, int priority) {
  Task* task = named_task(thread);
  const sched_param parameters{priority};
  return task == nullptr ? ESRCH : set_policy(*task, policy_of(*task, nullptr), &parameters);
}

int get_schedule(pthread_t thread, int* policy, sched_param* parameters) {
  const Task* task = named_task(thread);
  if (task == nullptr) return ESRCH;
  *policy = policy_of(*task, parameters);
  return 0;
}

int set_affinity(pthread_t thread, std::size_t size, const cpu_set_t* set) {
  Task* task = named_task(thread);
  return task == nullptr ? ESRCH : set_processors(*task, size, set);
}

int get_affinity(pthread_t thread, std::size_t size, cpu_set_t* set) {
  const Task* task = named_task(thread);
  return task == nullptr ? ESRCH : processors_of(*task, size, set);
}

int get_cpu_clock(pthread_t thread, clockid_t* clock) {
  if (named_task(thread) == nullptr) return ESRCH;
  *clock = CLOCK_THREAD_CPUTIME_ID;
  return 0;
}

Task* task_of_thread_id(pid_t id) {
  if (id == 0) return &scheduler().current();
  const pid_t number = id - getpid();
  return number < 0 ? nullptr : scheduler().task(static_cast<TaskId>(number));
}

pid_t task_thread_id() { return getpid() + static_cast<pid_t>(scheduler().current().id); }

}  // namespace ravel

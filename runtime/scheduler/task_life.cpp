// SPDX-License-Identifier: Apache-2.0
// How tasks begin and end.
#include <pthread.h>
#include <setjmp.h>

#include "base/check.h"
#include "runtime/scheduler/scheduler.h"

namespace ravel {

Task* Scheduler::task_of_handle(unsigned long handle) {
  // Newest first: a handle may occur again when the system reuses the memory of a thread that was joined.
  for (TaskId id = task_count_; id-- > 0;) {
    if (tasks_[id].handle == handle) return &tasks_[id];
  }
  return nullptr;
}

Task* Scheduler::create(Operation operation, void* (*body)(void*), void* argument, const pthread_attr_t* attributes,
                        int* error) {
  take_control();
  operation.object = task_count_;
  reach(operation);
  *error = 11;  // EAGAIN: also the system's answer when there are too many threads
  if (task_count_ == kMaxTasks) return nullptr;

  const TaskId id = task_count_;
  Task& task = tasks_[id];
  scheduling_[id] = Scheduling{};
  scheduling_[id].ran_in = period_;
  inside_ = true;
  CarrierContext* context = carrier_->create(attributes, &Scheduler::task_entry, &task, error);
  inside_ = false;
  if (context == nullptr) return nullptr;
  *error = 0;
  task.id = id;
  task.creator = current_->id;
  task.state = TaskState::live;
  task.context = context;
  task.handle = context->handle;
  task.body = body;
  task.argument = argument;
  ++task_count_;
  ++live_count_;
  summary().tasks = task_count_;
  if (id < kMaxTaskRecords) {
    TaskRecord& record = channel_->result.task[id];
    record.creator = task.creator;
    record.create_pc = operation.pc;
    const ShadowStack& calls = current_->shadow;  // pthread_create is often called by std::thread, not by the user
    std::uint32_t depth = calls.depth < ShadowStack::kDepth ? calls.depth : ShadowStack::kDepth;
    for (std::uint64_t& frame : record.created) frame = depth > 0 ? calls.frames[--depth] : 0;
    record.stack_low = context->stack_low;
    record.stack_high = context->stack_high;
    record.tls_low = context->tls_low;
    record.tls_high = context->tls_high;
    record.name[0] = '\0';
  }
  if (trace_ == TraceLevel::values || channel_->request.watch.creations != 0) [[unlikely]]
    keep_creation(id);
  Operation& start = pending_[id];
  start = Operation{};
  start.kind = OperationKind::task_start;
  start.task = id;
  start.pc = reinterpret_cast<std::uint64_t>(body);
  chooser_->on_pending(start);
  set_enabled(id, true);
  return &task;
}

// First code of a task, on its own stack: it has been chosen for its task_start.
void Scheduler::task_entry(void* argument) {
  Scheduler& self = scheduler();
  Task& task = *static_cast<Task*>(argument);
  self.inside_ = false;
  self.run_body(task);
  if (self.hooks_.run_exit_handlers != nullptr) self.hooks_.run_exit_handlers(task);
  self.end_current();
}

void Scheduler::run_body(Task& task) {
  // What pthread_cleanup_push uses in C: pthread_exit and cancellation unwind the stack (destructors and cleanup
  // handlers run) down to here and come back through the jump buffer.
  __pthread_unwind_buf_t buffer;
  if (__sigsetjmp_cancel(buffer.__cancel_jmp_buf, 0) == 0) {
    __pthread_register_cancel(&buffer);
    task.primitive.result = task.body(task.argument);
    __pthread_unregister_cancel(&buffer);
  }
}

void Scheduler::end_current() {
  Task& me = *current_;
  sections_ = 0;
  Operation operation;
  operation.kind = OperationKind::task_end;
  operation.object = me.id;
  operation.pc = reinterpret_cast<std::uint64_t>(me.body);
  reach(operation);

  me.state = TaskState::ended;
  --live_count_;
  if (live_count_ == 0) {
    summary().outcome = Outcome::ended;
    hooks_.end_process(0);
    __builtin_trap();
  }
  inside_ = true;
  set_enabled(me.id, false);
  changed(join_key(me));
  const TaskId next = decide();
  account_step(next);
  Task& other = tasks_[next];
  current_ = &other;
  carrier_->switch_to(*me.context, *other.context);
  RAVEL_CHECK(false, "an ended task was run");
  __builtin_trap();
}

}  // namespace ravel

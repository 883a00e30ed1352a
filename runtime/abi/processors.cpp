// SPDX-License-Identifier: Apache-2.0
// Questions about processors, answered as if executions were not kept on one; and priorities, which mean nothing where
// one task runs at a time, but are kept for who asks.
#include "runtime/interpose/processors.h"

#include <sched.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <cerrno>

#include "runtime/abi/export.h"
#include "runtime/interpose/real_symbols.h"
#include "runtime/interpose/runtime_mode.h"
#include "runtime/interpose/scheduling_requests.h"
#include "runtime/interpose/thread_operations.h"

namespace {

// The task that is meant, null when it is a process; 0 is the calling task.
ravel::Task* task_meant(id_t id) {
  return ravel::under_engine() ? ravel::task_of_thread_id(static_cast<pid_t>(id)) : nullptr;
}

// As the system calls answer.
int done(int error) {
  if (error != 0) errno = error;
  return error == 0 ? 0 : -1;
}

}  // namespace

RAVEL_EXPORT int sched_getaffinity(pid_t process, size_t size, cpu_set_t* set) {
  const ravel::Task* task = task_meant(static_cast<id_t>(process));
  if (task == nullptr) return ravel::real().sched_getaffinity(process, size, set);
  return done(ravel::processors_of(*task, size, set));
}

RAVEL_EXPORT int get_nprocs() {
  if (!ravel::under_engine() || !ravel::kept_on_one_processor()) return ravel::real().get_nprocs();
  return ravel::allowed_processor_count();
}

RAVEL_EXPORT long sysconf(int name) {
  if (name != _SC_NPROCESSORS_ONLN || !ravel::under_engine() || !ravel::kept_on_one_processor()) {
    return ravel::real().sysconf(name);
  }
  return ravel::allowed_processor_count();
}

// Not the system's answer: libc takes it from the thread's restartable-sequence area, which for a task on a fiber is
// that of a parked donor.
RAVEL_EXPORT int sched_getcpu() {
  if (!ravel::under_engine()) return ravel::real().sched_getcpu();
  return ravel::current_processor();
}

RAVEL_EXPORT int getcpu(unsigned* processor, unsigned* node) {
  if (!ravel::under_engine()) return ravel::real().getcpu(processor, node);
  if (processor != nullptr) *processor = static_cast<unsigned>(ravel::current_processor());
  if (node != nullptr) *node = 0;
  return 0;
}

// Without effect, like pthread_setaffinity_np: a program that moves itself must not leave its driver.
RAVEL_EXPORT int sched_setaffinity(pid_t process, size_t size, const cpu_set_t* set) {
  ravel::Task* task = task_meant(static_cast<id_t>(process));
  if (task == nullptr) return ravel::real().sched_setaffinity(process, size, set);
  return done(ravel::set_processors(*task, size, set));
}

RAVEL_EXPORT int sched_setscheduler(pid_t process, int policy, const sched_param* parameters) {
  ravel::Task* task = task_meant(static_cast<id_t>(process));
  if (task == nullptr) return ravel::real().sched_setscheduler(process, policy, parameters);
  return done(ravel::set_policy(*task, policy, parameters));
}

RAVEL_EXPORT int sched_getscheduler(pid_t process) {
  const ravel::Task* task = task_meant(static_cast<id_t>(process));
  return task == nullptr ? ravel::real().sched_getscheduler(process) : ravel::policy_of(*task, nullptr);
}

RAVEL_EXPORT int sched_setparam(pid_t process, const sched_param* parameters) {
  ravel::Task* task = task_meant(static_cast<id_t>(process));
  if (task == nullptr) return ravel::real().sched_setparam(process, parameters);
  return done(ravel::set_policy(*task, ravel::policy_of(*task, nullptr), parameters));
}

RAVEL_EXPORT int sched_getparam(pid_t process, sched_param* parameters) {
  const ravel::Task* task = task_meant(static_cast<id_t>(process));
  if (task == nullptr) return ravel::real().sched_getparam(process, parameters);
  ravel::policy_of(*task, parameters);
  return 0;
}

RAVEL_EXPORT int setpriority(__priority_which_t which, id_t who, int priority) {
  ravel::Task* task = which == PRIO_PROCESS ? task_meant(who) : nullptr;
  if (task == nullptr) return ravel::real().setpriority(which, who, priority);
  return done(ravel::set_niceness(*task, priority));
}

RAVEL_EXPORT int getpriority(__priority_which_t which, id_t who) {
  const ravel::Task* task = which == PRIO_PROCESS ? task_meant(who) : nullptr;
  return task == nullptr ? ravel::real().getpriority(which, who) : ravel::niceness_of(*task);
}

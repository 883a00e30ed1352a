// SPDX-License-Identifier: Apache-2.0
// Questions about processors, answered as if executions were not kept on one; and priorities, which mean nothing where
// one task runs at a time: what is asked of a task is asked of the process, what is set is accepted and ignored.
#include "runtime/interpose/processors.h"

#include <sched.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "runtime/abi/export.h"
#include "runtime/interpose/real_symbols.h"
#include "runtime/interpose/runtime_mode.h"
#include "runtime/interpose/thread_operations.h"

RAVEL_EXPORT int sched_getaffinity(pid_t process, size_t size, cpu_set_t* set) {
  if (!ravel::under_engine() || ravel::task_of_thread_id(process) == nullptr) {
    return ravel::real().sched_getaffinity(process, size, set);
  }
  return ravel::kept_on_one_processor() ? ravel::allowed_processors(size, set)
                                        : ravel::real().sched_getaffinity(0, size, set);
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
  return ravel::shown_processor();
}

RAVEL_EXPORT int getcpu(unsigned* processor, unsigned* node) {
  if (!ravel::under_engine()) return ravel::real().getcpu(processor, node);
  if (processor != nullptr) *processor = static_cast<unsigned>(ravel::shown_processor());
  if (node != nullptr) *node = 0;
  return 0;
}

// Accepted and without effect, like pthread_setaffinity_np: a program that moves itself must not leave its driver.
RAVEL_EXPORT int sched_setaffinity(pid_t process, size_t size, const cpu_set_t* set) {
  if (!ravel::under_engine() || ravel::task_of_thread_id(process) == nullptr) {
    return ravel::real().sched_setaffinity(process, size, set);
  }
  return 0;
}

RAVEL_EXPORT int sched_setscheduler(pid_t process, int policy, const sched_param* parameters) {
  if (!ravel::under_engine() || ravel::task_of_thread_id(process) == nullptr) {
    return ravel::real().sched_setscheduler(process, policy, parameters);
  }
  return 0;
}

RAVEL_EXPORT int sched_getscheduler(pid_t process) {
  const bool is_task = ravel::under_engine() && ravel::task_of_thread_id(process) != nullptr;
  return ravel::real().sched_getscheduler(is_task ? 0 : process);
}

RAVEL_EXPORT int sched_setparam(pid_t process, const sched_param* parameters) {
  if (!ravel::under_engine() || ravel::task_of_thread_id(process) == nullptr) {
    return ravel::real().sched_setparam(process, parameters);
  }
  return 0;
}

RAVEL_EXPORT int sched_getparam(pid_t process, sched_param* parameters) {
  const bool is_task = ravel::under_engine() && ravel::task_of_thread_id(process) != nullptr;
  return ravel::real().sched_getparam(is_task ? 0 : process, parameters);
}

RAVEL_EXPORT int setpriority(__priority_which_t which, id_t who, int priority) {
  if (which != PRIO_PROCESS || !ravel::under_engine() || ravel::task_of_thread_id(static_cast<pid_t>(who)) == nullptr) {
    return ravel::real().setpriority(which, who, priority);
  }
  return 0;
}

RAVEL_EXPORT int getpriority(__priority_which_t which, id_t who) {
  const bool is_task =
      which == PRIO_PROCESS && ravel::under_engine() && ravel::task_of_thread_id(static_cast<pid_t>(who)) != nullptr;
  return ravel::real().getpriority(which, is_task ? 0 : who);
}

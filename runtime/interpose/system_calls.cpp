// SPDX-License-Identifier: Apache-2.0
#include "runtime/interpose/system_calls.h"

#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "runtime/interpose/futex_operations.h"
#include "runtime/interpose/processors.h"
#include "runtime/interpose/random_operations.h"
#include "runtime/interpose/real_symbols.h"
#include "runtime/interpose/signal_operations.h"
#include "runtime/interpose/thread_operations.h"
#include "runtime/interpose/time_operations.h"

namespace ravel {
namespace {

long fail(int error) {
  errno = error;
  return -1;
}

// The argument that is the id of a task becomes 0: the process itself.
long forward_for_process(SystemCall call, unsigned argument) {
  long& id = call.arguments[argument];
  if (task_of_thread_id(static_cast<pid_t>(id)) != nullptr) id = 0;
  return forward_to_kernel(call);
}

// Of calls that begin with the kind of what they are about and its id: PRIO_PROCESS, IOPRIO_WHO_PROCESS.
bool is_about_a_task(const SystemCall& call) {
  constexpr long kIoPriorityOfProcess = 1;
  const bool is_priority = call.number == SYS_setpriority || call.number == SYS_getpriority;
  const bool is_process = call.arguments[0] == (is_priority ? static_cast<long>(PRIO_PROCESS) : kIoPriorityOfProcess);
  return is_process && task_of_thread_id(static_cast<pid_t>(call.arguments[1])) != nullptr;
}

long get_affinity(const SystemCall& call) {
  const auto size = static_cast<std::size_t>(call.arguments[1]);
  if (!kept_on_one_processor()) return forward_for_process(call, 0);
  if (task_of_thread_id(static_cast<pid_t>(call.arguments[0])) == nullptr) return forward_to_kernel(call);
  if (allowed_processors(size, reinterpret_cast<cpu_set_t*>(call.arguments[2])) != 0) return -1;
  return static_cast<long>(std::min(size, sizeof(cpu_set_t)));
}

long signal_task(const SystemCall& call, pid_t thread, int signal_number, CallSite pc) {
  const Task* task = thread == 0 ? nullptr : task_of_thread_id(thread);
  if (task == nullptr) return forward_to_kernel(call);
  const int error = send_signal(task->handle, signal_number, nullptr, pc);
  return error == 0 ? 0 : fail(error);
}

}  // namespace

long forward_to_kernel(const SystemCall& call) {
  const long(&a)[6] = call.arguments;
  return real().syscall(call.number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

long system_call(const SystemCall& call, CallSite pc) {
  const long(&a)[6] = call.arguments;
  switch (call.number) {
    case SYS_futex:
      return futex_call(call, pc);
    case SYS_gettid:
      return task_thread_id();
    case SYS_sched_setaffinity:
    case SYS_sched_setattr:
    case SYS_sched_setscheduler:
    case SYS_sched_setparam:
      return task_of_thread_id(static_cast<pid_t>(a[0])) != nullptr ? 0 : forward_to_kernel(call);
    case SYS_sched_getaffinity:
      return get_affinity(call);
    case SYS_sched_getattr:
    case SYS_sched_getscheduler:
    case SYS_sched_getparam:
      return forward_for_process(call, 0);
    case SYS_setpriority:
    case SYS_ioprio_set:
      if (!is_about_a_task(call)) return forward_to_kernel(call);
      return 0;
    case SYS_getpriority:
    case SYS_ioprio_get:
      return is_about_a_task(call) ? forward_for_process(call, 1) : forward_to_kernel(call);
    case SYS_tgkill:
      return a[0] == getpid() ? signal_task(call, static_cast<pid_t>(a[1]), static_cast<int>(a[2]), pc)
                              : forward_to_kernel(call);
    case SYS_tkill:
      return signal_task(call, static_cast<pid_t>(a[0]), static_cast<int>(a[1]), pc);
    case SYS_sched_yield:
      return yield_task(pc);
    case SYS_getrandom:
      return fill_random(reinterpret_cast<void*>(a[0]), static_cast<std::size_t>(a[1]));
    case SYS_nanosleep: {
      const int error = sleep_for(*reinterpret_cast<const timespec*>(a[0]), reinterpret_cast<timespec*>(a[1]), pc);
      return error == 0 ? 0 : fail(error);
    }
    case SYS_clock_gettime:
      return read_clock_into(static_cast<clockid_t>(a[0]), reinterpret_cast<timespec*>(a[1]));
    default:
      return forward_to_kernel(call);
  }
}

}  // namespace ravel

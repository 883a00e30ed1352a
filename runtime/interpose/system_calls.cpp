// SPDX-License-Identifier: Apache-2.0
#include "runtime/interpose/system_calls.h"

#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "runtime/interpose/futex_operations.h"
#include "runtime/interpose/random_operations.h"
#include "runtime/interpose/real_symbols.h"
#include "runtime/interpose/scheduling_requests.h"
#include "runtime/interpose/signal_operations.h"
#include "runtime/interpose/thread_operations.h"
#include "runtime/interpose/time_operations.h"
#include "runtime/resident/residence.h"

namespace ravel {
namespace {

long fail(int error) {
  errno = error;
  return -1;
}

long done(int error) { return error == 0 ? 0 : fail(error); }

// For calls whose first two arguments are a kind of id and the id: PRIO_PROCESS, IOPRIO_WHO_PROCESS.
bool is_about_a_task(const SystemCall& call) {
  constexpr long kIoPriorityOfProcess = 1;
  const bool is_priority = call.number == SYS_setpriority || call.number == SYS_getpriority;
  const bool is_process = call.arguments[0] == (is_priority ? static_cast<long>(PRIO_PROCESS) : kIoPriorityOfProcess);
  return is_process && task_of_thread_id(static_cast<pid_t>(call.arguments[1])) != nullptr;
}

// The beginning of what sched_setattr and sched_getattr pass.
struct SchedulingAttributes {
  std::uint32_t size;
  std::uint32_t policy;
  std::uint64_t flags;
  std::int32_t niceness;
  std::uint32_t priority;
};

// Calls that begin with the id of a task.
long ask_scheduler(const SystemCall& call) {
  const long(&a)[6] = call.arguments;
  Task* task = task_of_thread_id(static_cast<pid_t>(a[0]));
  if (task == nullptr) return forward_to_kernel(call);
  auto* parameters = reinterpret_cast<sched_param*>(a[1]);
  auto* attributes = reinterpret_cast<SchedulingAttributes*>(a[1]);
  switch (call.number) {
    case SYS_sched_setaffinity:
      return done(set_processors(*task, static_cast<std::size_t>(a[1]), reinterpret_cast<const cpu_set_t*>(a[2])));
    case SYS_sched_getaffinity: {
      const auto size = static_cast<std::size_t>(a[1]);
      const int error = processors_of(*task, size, reinterpret_cast<cpu_set_t*>(a[2]));
      return error == 0 ? static_cast<long>(std::min(size, sizeof(cpu_set_t))) : fail(error);
    }
    case SYS_sched_setscheduler:
      return done(set_policy(*task, static_cast<int>(a[1]), reinterpret_cast<const sched_param*>(a[2])));
    case SYS_sched_getscheduler:
      return policy_of(*task, nullptr);
    case SYS_sched_setparam:
      return done(set_policy(*task, policy_of(*task, nullptr), parameters));
    case SYS_sched_getparam:
      policy_of(*task, parameters);
      return 0;
    case SYS_sched_setattr: {
      const sched_param wanted{static_cast<int>(attributes->priority)};
      const int error = set_policy(*task, static_cast<int>(attributes->policy), &wanted);
      return done(error != 0 ? error : set_niceness(*task, attributes->niceness));
    }
    default: {  // SYS_sched_getattr
      SystemCall of_process = call;
      of_process.arguments[0] = 0;
      const long result = forward_to_kernel(of_process);
      if (result != 0) return result;
      sched_param shown{};
      attributes->policy = static_cast<std::uint32_t>(policy_of(*task, &shown));
      attributes->priority = static_cast<std::uint32_t>(shown.sched_priority);
      attributes->niceness = niceness_of(*task);
      return 0;
    }
  }
}

long ask_priority(const SystemCall& call) {
  if (!is_about_a_task(call)) return forward_to_kernel(call);
  Task& task = *task_of_thread_id(static_cast<pid_t>(call.arguments[1]));
  SchedulingRequests& asked = task.primitive.asked;
  switch (call.number) {
    case SYS_setpriority:
      return done(set_niceness(task, static_cast<int>(call.arguments[2])));
    case SYS_getpriority:
      return 20 - niceness_of(task);  // so that no answer is negative
    case SYS_ioprio_set:
      asked.has_io_priority = true;
      asked.io_priority = call.arguments[2];
      return 0;
    default: {  // SYS_ioprio_get
      SystemCall of_process = call;
      of_process.arguments[1] = 0;
      return asked.has_io_priority ? asked.io_priority : forward_to_kernel(of_process);
    }
  }
}

long signal_task(const SystemCall& call, pid_t thread, int signal_number, CallSite pc) {
  const Task* task = thread == 0 ? nullptr : task_of_thread_id(thread);
  if (task == nullptr) return forward_to_kernel(call);
  const int error = send_signal(task->handle, signal_number, nullptr, pc);
  return error == 0 ? 0 : fail(error);
}

// The most frequent calls that change nothing but memory. Descriptors that come or go are noticed.
bool leaves_process_as_it_is(long number) {
  switch (number) {
    case SYS_read:
    case SYS_write:
    case SYS_pread64:
    case SYS_pwrite64:
    case SYS_open:
    case SYS_openat:
    case SYS_close:
    case SYS_stat:
    case SYS_fstat:
    case SYS_lstat:
    case SYS_newfstatat:
    case SYS_statx:
    case SYS_access:
    case SYS_lseek:
    case SYS_getpid:
    case SYS_getppid:
    case SYS_getuid:
    case SYS_geteuid:
    case SYS_getgid:
    case SYS_getegid:
    case SYS_getcpu:
    case SYS_gettimeofday:
    case SYS_time:
    case SYS_clock_getres:
    case SYS_uname:
    case SYS_sysinfo:
    case SYS_getrusage:
    case SYS_membarrier:
    case SYS_futex:
    case SYS_tgkill:
    case SYS_tkill:
    case SYS_getpriority:
    case SYS_ioprio_get:
    case SYS_sched_getaffinity:
    case SYS_sched_getattr:
    case SYS_sched_getscheduler:
    case SYS_sched_getparam:
      return true;
    default:
      return false;
  }
}

}  // namespace

long forward_to_kernel(const SystemCall& call) {
  const long(&a)[6] = call.arguments;
  if (!leaves_process_as_it_is(call.number)) cannot_be_put_back();
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
    case SYS_sched_getaffinity:
    case SYS_sched_setattr:
    case SYS_sched_getattr:
    case SYS_sched_setscheduler:
    case SYS_sched_getscheduler:
    case SYS_sched_setparam:
    case SYS_sched_getparam:
      return ask_scheduler(call);
    case SYS_setpriority:
    case SYS_getpriority:
    case SYS_ioprio_set:
    case SYS_ioprio_get:
      return ask_priority(call);
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

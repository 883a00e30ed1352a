// SPDX-License-Identifier: Apache-2.0
#include "runtime/interpose/signal_operations.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "runtime/interpose/real_symbols.h"
#include "runtime/interpose/sync_edges.h"
#include "runtime/interpose/virtual_time.h"

namespace ravel {
namespace {

constexpr int kSignals = 64;

// 32 and 33 belong to glibc.
bool is_valid_signal(int signal_number) {
  return signal_number >= 0 && signal_number <= kSignals && signal_number != 32 && signal_number != 33;
}

std::uint32_t bit_of(int signal_number) { return 1U << ((signal_number - 1) % 32); }
std::uint32_t& word_of(Task& task, int signal_number) {
  return task.primitive.pending_signals[(signal_number - 1) / 32];
}

// One key for all who wait for a signal: which of them a process-wide signal reaches is found out by looking.
constexpr std::uint64_t kSignalKey = 8;

struct SignalWait {
  const sigset_t* set = nullptr;  // null: any signal ends the wait by interrupting it
};

// The first signal of the set that is pending for `task`, sent by a task or known to the kernel; 0 when none is.
int pending_signal(const sigset_t* set, const Task& task) {
  sigset_t kernel;
  sigemptyset(&kernel);
  sigpending(&kernel);
  for (int number = 1; number <= kSignals; ++number) {
    if (!is_valid_signal(number) || sigismember(set, number) != 1) continue;
    if ((task.primitive.pending_signals[(number - 1) / 32] & bit_of(number)) != 0) return number;
    if (sigismember(&kernel, number) == 1) return number;
  }
  return 0;
}

bool signal_arrived(const void* object, const Task& task) {
  const sigset_t* set = static_cast<const SignalWait*>(object)->set;
  if (set != nullptr && pending_signal(set, task) != 0) return true;
  return wait_interrupted(task);
}

}  // namespace

int send_signal(pthread_t thread, int signal_number, const sigval* value, CallSite pc) {
  if (!is_valid_signal(signal_number)) return EINVAL;
  Task* target = scheduler().task_of_handle(thread);
  if (target == nullptr || (target->state == TaskState::ended && target->primitive.detached)) return ESRCH;
  reach_point(operation_on(OperationKind::task_signal, target->id, pc, static_cast<std::uint64_t>(signal_number)));
  if (signal_number == 0 || target->state == TaskState::ended) return 0;
  if (target == &scheduler().current()) {
    return value != nullptr ? real().pthread_sigqueue(thread, signal_number, *value)
                            : real().pthread_kill(thread, signal_number);
  }
  release_edge(edge_key(EdgeKind::signals, target->id));
  word_of(*target, signal_number) |= bit_of(signal_number);
  target->primitive.signal_has_value = value != nullptr;
  if (value != nullptr) target->primitive.signal_value = reinterpret_cast<std::uint64_t>(value->sival_ptr);
  scheduler().changed(target->primitive.wait_key);
  return 0;
}

int send_process_signal(pid_t process, int signal_number, CallSite pc) {
  reach_point(operation_on(OperationKind::task_signal, kSignalKey, pc, static_cast<std::uint64_t>(signal_number)));
  release_edge(edge_key(EdgeKind::process_signals));
  const int result = real().kill(process, signal_number);
  scheduler().changed(kSignalKey);
  return result;
}

void deliver_signals(Task& task) {
  for (int number = 1; number <= kSignals; ++number) {
    if ((word_of(task, number) & bit_of(number)) == 0) continue;
    const auto* awaited = static_cast<const sigset_t*>(task.primitive.signal_wait);
    if (awaited != nullptr && sigismember(awaited, number) == 1) continue;
    word_of(task, number) &= ~bit_of(number);
    acquire_edge(edge_key(EdgeKind::signals, task.id));
    if (task.primitive.signal_has_value) {
      siginfo_t information = {};
      information.si_signo = number;
      information.si_code = SI_QUEUE;
      information.si_pid = getpid();
      information.si_uid = getuid();
      information.si_value.sival_ptr = reinterpret_cast<void*>(task.primitive.signal_value);
      const pid_t self = static_cast<pid_t>(real().syscall(SYS_gettid));
      real().syscall(SYS_rt_tgsigqueueinfo, getpid(), self, number, &information);
    } else {
      real().raise(number);
    }
    task.primitive.interrupted = true;  // after the handler: points inside it begin waits of their own
  }
}

int wait_for_any_signal(CallSite pc) {
  test_cancel();
  const SignalWait wait;
  const Operation operation = operation_on(OperationKind::task_signal, kSignalKey, pc);
  if (reach_point(operation, Wait{kSignalKey, &signal_arrived, &wait, kNever, true, nullptr}) == Turn::cancelled) {
    cancel_current();
  }
  acquire_edge(edge_key(EdgeKind::process_signals));
  errno = EINTR;
  return -1;
}

int suspend_with_mask(const sigset_t* mask, CallSite pc) {
  sigset_t before;
  sigprocmask(SIG_SETMASK, mask, &before);  // what the kernel held back for us strikes here
  wait_for_any_signal(pc);
  sigprocmask(SIG_SETMASK, &before, nullptr);
  errno = EINTR;
  return -1;
}

int wait_for_signal(const sigset_t* set, siginfo_t* information, const timespec* timeout, CallSite pc) {
  if (timeout != nullptr && (!has_valid_nanoseconds(*timeout) || timeout->tv_sec < 0)) {
    errno = EINVAL;
    return -1;
  }
  test_cancel();
  Task& task = scheduler().current();
  const std::uint64_t deadline = timeout == nullptr ? kNever : deadline_after(*timeout);
  if (timeout != nullptr && pending_signal(set, task) == 0) begin_timed_wait(deadline);
  // Signals of the set must not be delivered to a handler on the way out: they are what the call returns.
  const SignalWait wait{set};
  const Operation operation = operation_on(OperationKind::task_signal, kSignalKey, pc);
  task.primitive.signal_wait = set;
  const Turn turn = reach_point(operation, Wait{kSignalKey, &signal_arrived, &wait, deadline, true, nullptr});
  task.primitive.signal_wait = nullptr;
  if (turn == Turn::cancelled) cancel_current();
  const int number = pending_signal(set, task);
  if (number == 0) {
    errno = turn == Turn::timed_out ? EAGAIN : EINTR;
    return -1;
  }
  if ((word_of(task, number) & bit_of(number)) != 0) {
    word_of(task, number) &= ~bit_of(number);
    acquire_edge(edge_key(EdgeKind::signals, task.id));
    if (information != nullptr) {
      *information = siginfo_t{};
      information->si_signo = number;
      information->si_code = task.primitive.signal_has_value ? SI_QUEUE : SI_TKILL;
      information->si_pid = getpid();
      information->si_uid = getuid();
      information->si_value.sival_ptr = reinterpret_cast<void*>(task.primitive.signal_value);
    }
    return number;
  }
  const timespec at_once = {};
  const int taken = real().sigtimedwait(set, information, &at_once);
  acquire_edge(edge_key(EdgeKind::process_signals));
  scheduler().changed(kSignalKey);
  return taken;
}

}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
#include "runtime/interpose/signal_operations.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

#include "runtime/interpose/real_symbols.h"
#include "runtime/interpose/sync_edges.h"
#include "runtime/interpose/virtual_time.h"
#include "trace/signals.h"

namespace ravel {
namespace {

constexpr int kSignals = 64;

// The object of operations on the signals of the whole process.
constexpr std::uint64_t kProcessSignals = 8;

// Of this execution.
struct Signals {
  std::uint64_t sent_by_tasks = 0;  // whoever waits for one of these waits for a task
  bool masks_differ = false;        // some task has changed its mask
};
constinit Signals g_signals;

// 32 and 33 belong to glibc.
bool is_valid_signal(int signal_number) {
  return signal_number >= 0 && signal_number <= kSignals && signal_number != 32 && signal_number != 33;
}

std::uint64_t bit_of(int signal_number) { return std::uint64_t{1} << (signal_number - 1); }

std::uint64_t bits_of(const sigset_t& set) {
  std::uint64_t bits = 0;
  for (int number = 1; number <= kSignals; ++number) {
    if (sigismember(&set, number) == 1) bits |= bit_of(number);
  }
  return bits;
}

sigset_t set_of(std::uint64_t bits) {
  sigset_t set;
  sigemptyset(&set);
  for (int number = 1; number <= kSignals; ++number) {
    if ((bits & bit_of(number)) != 0) sigaddset(&set, number);
  }
  return set;
}

int lowest_of(std::uint64_t bits) { return __builtin_ctzll(bits) + 1; }

std::uint64_t kernel_mask() {
  sigset_t mask;
  sigemptyset(&mask);
  real().pthread_sigmask(SIG_BLOCK, nullptr, &mask);
  return bits_of(mask);
}

std::uint64_t pending_in_kernel() {
  sigset_t pending;
  sigemptyset(&pending);
  real().sigpending(&pending);
  return bits_of(pending);
}

void set_kernel_mask(std::uint64_t bits) {
  const sigset_t mask = set_of(bits);
  real().pthread_sigmask(SIG_SETMASK, &mask, nullptr);
}

// Fibers share the kernel's mask, which may be another task's: it is set when it matters. What the kernel has kept for
// this task strikes here.
void use_own_mask(const Task& task) {
  if (task.primitive.in_handlers == 0) set_kernel_mask(task.primitive.blocked_signals);
}

using Handler = void (*)(int);
Handler handler_of(int number) {
  struct sigaction action {};
  return real().sigaction(number, nullptr, &action) == 0 ? action.sa_handler : SIG_DFL;
}

// Nobody notices when it comes.
bool is_ignored(int number) {
  const Handler handler = handler_of(number);
  if (handler != SIG_DFL) return handler == SIG_IGN;
  return number == SIGCHLD || number == SIGURG || number == SIGWINCH || number == SIGCONT;
}

// Could somebody outside send it to let the program continue? Not what stands for a crash, or for Ravel itself.
bool comes_from_outside(int number) {
  switch (number) {
    case SIGHUP:
    case SIGINT:
    case SIGQUIT:
    case SIGTERM:
    case SIGUSR1:
    case SIGUSR2:
    case SIGALRM:
    case SIGVTALRM:
    case SIGPROF:
    case SIGIO:
    case SIGWINCH:
    case SIGCONT:
    case SIGTSTP:
    case SIGPWR:
      return true;
    default:
      return number >= SIGRTMIN && number != stuck_signal() && number != nudge_signal();
  }
}

// Lets the signal strike the current task, which does not block it.
void strike(Task& task, int number, const siginfo_t* information) {
  use_own_mask(task);
  ++task.primitive.in_handlers;
  if (information != nullptr) {
    const pid_t self = static_cast<pid_t>(real().syscall(SYS_gettid));
    real().syscall(SYS_rt_tgsigqueueinfo, getpid(), self, number, information);
  } else {
    real().raise(number);
  }
  --task.primitive.in_handlers;
}

siginfo_t information_of(const Task& task, int number, int code) {
  siginfo_t information = {};
  information.si_signo = number;
  information.si_code = code;
  information.si_pid = getpid();
  information.si_uid = getuid();
  information.si_value.sival_ptr = reinterpret_cast<void*>(task.primitive.signal_value);
  return information;
}

// Keeps the signal with another task, or with this one until it unblocks it.
void keep_for(Task& task, int number, const sigval* value) {
  const std::uint64_t held_back = task.primitive.blocked_signals | task.primitive.awaited_signals;
  if ((held_back & bit_of(number)) == 0 && is_ignored(number)) return;
  release_edge(edge_key(EdgeKind::signals, task.id));
  task.primitive.pending_signals |= bit_of(number);
  task.primitive.signal_has_value = value != nullptr;
  if (value != nullptr) task.primitive.signal_value = reinterpret_cast<std::uint64_t>(value->sival_ptr);
  scheduler().changed(task.primitive.wait_key);
}

template <typename Accepts>
Task* first_live_task(Accepts accepts) {
  for (TaskId id = 0; id < scheduler().task_count(); ++id) {
    Task& task = *scheduler().task(id);
    if (task.state == TaskState::live && accepts(task)) return &task;
  }
  return nullptr;
}

// Who gets a signal to the process: one that waits for any signal, else the sender, else the first that does not block
// it. Null: it stays pending, until somebody takes it or lets it through.
Task* receiver_of(int number) {
  const std::uint64_t bit = bit_of(number);
  if (first_live_task([&](const Task& task) { return (task.primitive.awaited_signals & bit) != 0; }) != nullptr) {
    return nullptr;
  }
  const auto accepts = [&](const Task& task) { return (task.primitive.blocked_signals & bit) == 0; };
  if (!is_ignored(number)) {
    Task* suspended = first_live_task([&](const Task& task) { return task.primitive.suspended && accepts(task); });
    if (suspended != nullptr) return suspended;
  }
  Task& sender = scheduler().current();
  return accepts(sender) ? &sender : first_live_task(accepts);
}

}  // namespace

void adopt_signal_mask() {
  scheduler().current().primitive.blocked_signals = kernel_mask();
  g_signals = Signals{};
}

int change_signal_mask(int how, const sigset_t* set, sigset_t* before) {
  if (!scheduler().controlled()) return real().pthread_sigmask(how, set, before);
  Task& task = scheduler().current();
  use_own_mask(task);
  if (set != nullptr) g_signals.masks_differ = true;
  const int error = real().pthread_sigmask(how, set, before);
  if (error != 0 || set == nullptr || task.primitive.in_handlers != 0) return error;
  task.primitive.blocked_signals = kernel_mask();
  if (signal_due(task)) deliver_signals(task);
  return 0;
}

int read_pending_signals(sigset_t* set) {
  const int result = real().sigpending(set);
  if (result != 0 || !scheduler().controlled()) return result;
  *set = set_of(bits_of(*set) | scheduler().current().primitive.pending_signals);
  return 0;
}

int send_signal(pthread_t thread, int signal_number, const sigval* value, CallSite pc) {
  if (!is_valid_signal(signal_number)) return EINVAL;
  Task* target = scheduler().task_of_handle(thread);
  if (target == nullptr || (target->state == TaskState::ended && target->primitive.detached)) return ESRCH;
  reach_point(operation_on(OperationKind::task_signal, target->id, pc, static_cast<std::uint64_t>(signal_number)));
  if (signal_number == 0 || target->state == TaskState::ended) return 0;
  g_signals.sent_by_tasks |= bit_of(signal_number);
  Task& me = scheduler().current();
  const bool blocked = (me.primitive.blocked_signals & bit_of(signal_number)) != 0;
  if (target != &me || (blocked && scheduler().controlled())) {
    keep_for(*target, signal_number, value);
    return 0;
  }
  return value != nullptr ? real().pthread_sigqueue(thread, signal_number, *value)
                          : real().pthread_kill(thread, signal_number);
}

int send_process_signal(pid_t process, int signal_number, CallSite pc) {
  reach_point(operation_on(OperationKind::task_signal, kProcessSignals, pc, static_cast<std::uint64_t>(signal_number)));
  release_edge(edge_key(EdgeKind::process_signals));
  const bool to_tasks = process == getpid() && signal_number > 0 && is_valid_signal(signal_number) &&
                        signal_number != SIGKILL && signal_number != SIGSTOP && scheduler().controlled();
  int result = 0;
  if (to_tasks) {
    g_signals.sent_by_tasks |= bit_of(signal_number);
    Task& me = scheduler().current();
    Task* receiver = receiver_of(signal_number);
    if (receiver == nullptr) {
      set_kernel_mask(kernel_mask() | bit_of(signal_number));
      result = real().kill(process, signal_number);
    } else if (receiver != &me) {
      keep_for(*receiver, signal_number, nullptr);
    } else {
      const siginfo_t information = information_of(me, signal_number, SI_USER);
      strike(me, signal_number, &information);
    }
  } else {
    result = real().kill(process, signal_number);
  }
  const int saved_errno = errno;
  external_changed();
  errno = saved_errno;
  return result;
}

void deliver_signals(Task& task) {
  PrimitiveState& state = task.primitive;
  for (;;) {
    const std::uint64_t due = state.pending_signals & ~state.blocked_signals & ~state.awaited_signals;
    if (due == 0) return;
    const int number = lowest_of(due);
    state.pending_signals &= ~bit_of(number);
    acquire_edge(edge_key(EdgeKind::signals, task.id));
    const siginfo_t information = information_of(task, number, SI_QUEUE);
    strike(task, number, state.signal_has_value ? &information : nullptr);
    state.interrupted = true;  // after the handler: points inside it begin waits of their own
  }
}

bool hand_out_signals() {
  if (!g_signals.masks_differ) return false;
  bool handed_out = false;
  for (std::uint64_t rest = pending_in_kernel(); rest != 0; rest &= rest - 1) {
    const int number = lowest_of(rest);
    Task* receiver = receiver_of(number);
    if (receiver == nullptr) continue;
    const sigset_t one = set_of(bit_of(number));
    const timespec at_once = {};
    if (real().sigtimedwait(&one, nullptr, &at_once) != number) continue;
    keep_for(*receiver, number, nullptr);
    handed_out |= scheduler().is_enabled(receiver->id);
  }
  return handed_out;
}

bool signals_have_come(const ExternalWait& wait) {
  const PrimitiveState& state = wait.for_signals->primitive;
  std::uint64_t pending = state.pending_signals | pending_in_kernel();
  if (wait.awaited != 0) return (pending & wait.awaited) != 0;
  for (pending &= ~state.blocked_signals; pending != 0; pending &= pending - 1) {
    if (!is_ignored(lowest_of(pending))) return true;
  }
  return false;
}

bool outside_may_signal(const ExternalWait& wait) {
  const std::uint64_t ends_it = wait.awaited != 0 ? wait.awaited : ~wait.for_signals->primitive.blocked_signals;
  for (std::uint64_t rest = ends_it & ~g_signals.sent_by_tasks; rest != 0; rest &= rest - 1) {
    const int number = lowest_of(rest);
    if (!comes_from_outside(number)) continue;
    if (wait.awaited != 0) return true;
    const Handler handler = handler_of(number);
    if (handler != SIG_DFL && handler != SIG_IGN) return true;
  }
  return false;
}

int suspend_for_signal(const sigset_t* mask, CallSite pc) {
  if (!scheduler().controlled()) return mask == nullptr ? real().pause() : real().sigsuspend(mask);
  test_cancel();
  Task& task = scheduler().current();
  PrimitiveState& state = task.primitive;
  const Operation operation = operation_on(OperationKind::task_signal, kProcessSignals, pc);
  const std::uint64_t before = state.blocked_signals;
  if (mask != nullptr) {
    state.blocked_signals = bits_of(*mask);
  } else {
    reach_point(operation);  // a signal that comes just before pause does not end it
  }
  ExternalWait wait;
  wait.for_signals = &task;
  state.suspended = true;
  const Turn turn = reach_external(operation, wait);
  state.suspended = false;
  use_own_mask(task);  // one that the kernel has kept strikes here
  state.blocked_signals = before;
  use_own_mask(task);
  if (turn == Turn::cancelled) cancel_current();
  acquire_edge(edge_key(EdgeKind::process_signals));
  errno = EINTR;
  return -1;
}

int wait_for_signal(const sigset_t* set, siginfo_t* information, const timespec* timeout, CallSite pc) {
  if (!scheduler().controlled()) return real().sigtimedwait(set, information, timeout);
  if (timeout != nullptr && (!has_valid_nanoseconds(*timeout) || timeout->tv_sec < 0)) {
    errno = EINVAL;
    return -1;
  }
  test_cancel();
  Task& task = scheduler().current();
  PrimitiveState& state = task.primitive;
  ExternalWait wait;
  wait.for_signals = &task;
  wait.awaited = bits_of(*set);
  const std::uint64_t deadline = timeout == nullptr ? kNever : deadline_after(*timeout);
  if (timeout != nullptr && !is_ready(wait)) begin_timed_wait(deadline);
  // Signals of the set must not be delivered to a handler on the way out: they are what the call returns.
  state.awaited_signals = wait.awaited;
  const Turn turn = reach_external(operation_on(OperationKind::task_signal, kProcessSignals, pc), wait, deadline);
  state.awaited_signals = 0;
  if (turn == Turn::cancelled) cancel_current();
  if (const std::uint64_t own = state.pending_signals & wait.awaited; own != 0) {
    const int number = lowest_of(own);
    state.pending_signals &= ~bit_of(number);
    acquire_edge(edge_key(EdgeKind::signals, task.id));
    if (information != nullptr) {
      *information = information_of(task, number, state.signal_has_value ? SI_QUEUE : SI_TKILL);
    }
    return number;
  }
  const timespec at_once = {};
  const int taken = real().sigtimedwait(set, information, &at_once);
  if (taken < 0) {
    errno = turn == Turn::timed_out ? EAGAIN : EINTR;
    return -1;
  }
  acquire_edge(edge_key(EdgeKind::process_signals));
  external_changed();
  return taken;
}

}  // namespace ravel

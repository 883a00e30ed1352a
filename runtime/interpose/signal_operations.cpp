// SPDX-License-Identifier: Apache-2.0
#include "runtime/interpose/signal_operations.h"

#include <dlfcn.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <cerrno>

#include "runtime/interpose/real_symbols.h"
#include "runtime/interpose/runtime_mode.h"
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

// What the program wants done; the kernel knows on_signal instead.
struct Actions {
  struct sigaction of_program[kSignals + 1] = {};
  siginfo_t arrived[kSignals + 1] = {};
  volatile int held_back = 0;
};
constinit Actions g_actions;

void on_signal(int number, siginfo_t* information, void* context) {
  if (runtime_active() && scheduler().controlled()) {
    const Task& task = scheduler().current();
    const bool is_running = pthread_self() == task.handle;
    // Fibers share the kernel's mask, which may be another task's.
    const bool is_blocked = (task.primitive.blocked_signals & bit_of(number)) != 0;
    if (g_actions.held_back != 0 || !is_running || is_blocked || interrupts_runtime(context)) {
      g_actions.arrived[number] = *information;
      __atomic_or_fetch(&g_arrived_signals, bit_of(number), __ATOMIC_SEQ_CST);
      return;
    }
  }
  const struct sigaction action = g_actions.of_program[number];
  if ((action.sa_flags & static_cast<int>(SA_RESETHAND)) != 0) real().signal(number, SIG_DFL);
  if ((action.sa_flags & SA_SIGINFO) != 0) {
    action.sa_sigaction(number, information, context);
  } else {
    action.sa_handler(number);
  }
}

// Tells of a mistake of the program where it happens: it cannot wait.
bool tells_of_crash(int number) {
  switch (number) {
    case SIGSEGV:
    case SIGBUS:
    case SIGFPE:
    case SIGILL:
    case SIGABRT:
    case SIGTRAP:
    case SIGSYS:
      return true;
    default:
      return number == stuck_signal() || number == nudge_signal();
  }
}

using Handler = void (*)(int);
Handler handler_of(int number) {
  struct sigaction action {};
  return set_signal_action(number, nullptr, &action) == 0 ? action.sa_handler : SIG_DFL;
}

bool has_handler(int number) {
  const Handler handler = handler_of(number);
  return handler != SIG_DFL && handler != SIG_IGN;
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

// Can it run a handler soon? Most waits are not interrupted by signals.
bool takes_signals_now(const Task& task) {
  return scheduler().is_enabled(task.id) || task.primitive.wait_key == kExternalKey ||
         scheduler().pending(task.id).kind == OperationKind::sleep;
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
  if (accepts(sender) && sender.state == TaskState::live && takes_signals_now(sender)) return &sender;
  Task* const ready = first_live_task([&](const Task& task) { return accepts(task) && takes_signals_now(task); });
  return ready != nullptr ? ready : first_live_task(accepts);
}

// Nobody gets it now: it stays pending.
int leave_to_kernel(int number) {
  set_kernel_mask(kernel_mask() | bit_of(number));
  return real().kill(getpid(), number);
}

// Signals that came while the runtime was at work go to tasks.
void hand_out_arrived() {
  std::uint64_t arrived = __atomic_exchange_n(&g_arrived_signals, 0, __ATOMIC_SEQ_CST);
  for (; arrived != 0; arrived &= arrived - 1) {
    const int number = lowest_of(arrived);
    if (Task* const receiver = receiver_of(number)) {
      keep_for(*receiver, number, nullptr);
    } else {
      leave_to_kernel(number);
    }
  }
}

}  // namespace

constinit volatile std::uint64_t g_arrived_signals = 0;

SignalsHeldBack::SignalsHeldBack() { g_actions.held_back = g_actions.held_back + 1; }
SignalsHeldBack::~SignalsHeldBack() { g_actions.held_back = g_actions.held_back - 1; }

bool interrupts_runtime(const void* context) {
  const auto* const machine = static_cast<const ucontext_t*>(context);
  dl_find_object struck{};
  dl_find_object ours{};
  if (_dl_find_object(reinterpret_cast<void*>(machine->uc_mcontext.gregs[REG_RIP]), &struck) != 0) return false;
  if (_dl_find_object(reinterpret_cast<void*>(&interrupts_runtime), &ours) != 0) return false;
  return struck.dlfo_map_start == ours.dlfo_map_start;
}

int set_signal_action(int number, const struct sigaction* action, struct sigaction* before) {
  struct sigaction kernels = {};
  const bool wraps = action != nullptr && number > 0 && number <= kSignals && !tells_of_crash(number) &&
                     action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN;
  struct sigaction of_program = {};
  if (wraps) {
    of_program = g_actions.of_program[number];
    g_actions.of_program[number] = *action;  // first: the signal may come at once
    kernels = *action;
    kernels.sa_sigaction = &on_signal;
    kernels.sa_flags = (kernels.sa_flags | SA_SIGINFO) & ~static_cast<int>(SA_RESETHAND);
  } else if (number > 0 && number <= kSignals) {
    of_program = g_actions.of_program[number];
  }
  struct sigaction was = {};
  const int result = real().sigaction(number, wraps ? &kernels : action, &was);
  if (result == 0 && before != nullptr) *before = was.sa_sigaction == &on_signal ? of_program : was;
  return result;
}

void send_signal_of_timer(int number) {
  g_signals.sent_by_tasks |= bit_of(number);
  if (Task* const receiver = receiver_of(number)) {
    keep_for(*receiver, number, nullptr);
  } else {
    leave_to_kernel(number);
  }
  external_changed();
}

bool is_noticed(int number) {
  const auto accepts = [=](const Task& task) { return (task.primitive.blocked_signals & bit_of(number)) == 0; };
  return has_handler(number) || first_live_task(accepts) == nullptr;
}

bool is_pending_anywhere(int number) {
  const auto has_it = [=](const Task& task) { return (task.primitive.pending_signals & bit_of(number)) != 0; };
  return first_live_task(has_it) != nullptr || ((pending_in_kernel() | g_arrived_signals) & bit_of(number)) != 0;
}

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
      result = leave_to_kernel(signal_number);
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
  hand_out_arrived();
  PrimitiveState& state = task.primitive;
  for (;;) {
    const std::uint64_t due = state.pending_signals & ~state.blocked_signals & ~state.awaited_signals;
    if (due == 0) return;
    const int number = lowest_of(due);
    state.pending_signals &= ~bit_of(number);
    acquire_edge(edge_key(EdgeKind::signals, task.id));
    siginfo_t& arrived = g_actions.arrived[number];
    const bool from_outside = arrived.si_signo == number;
    const siginfo_t information = from_outside ? arrived : information_of(task, number, SI_QUEUE);
    arrived.si_signo = 0;
    strike(task, number, from_outside || state.signal_has_value ? &information : nullptr);
    state.interrupted = true;  // after the handler: points inside it begin waits of their own
  }
}

bool hand_out_signals() {
  bool handed_out = false;
  if (g_arrived_signals != 0) {
    hand_out_arrived();
    handed_out = first_live_task([](const Task& task) { return scheduler().is_enabled(task.id); }) != nullptr;
  }
  if (!g_signals.masks_differ) return handed_out;
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
    if (wait.awaited != 0 || has_handler(number)) return true;
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

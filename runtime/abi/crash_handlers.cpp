// SPDX-License-Identifier: Apache-2.0
#include "runtime/abi/crash_handlers.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/raw_syscall.h"
#include "runtime/interpose/real_symbols.h"
#include "runtime/interpose/runtime_mode.h"
#include "runtime/interpose/signal_operations.h"
#include "runtime/interpose/unseen_code.h"
#include "runtime/memory/raw_pages.h"
#include "runtime/resident/residence.h"
#include "runtime/scheduler/scheduler.h"
#include "runtime/scheduler/stack_capture.h"
#include "trace/signals.h"

namespace ravel {
namespace {

struct FatalSignal {
  int number;
  const char* meaning;
};
constexpr FatalSignal kFatal[] = {
    {SIGSEGV, "SIGSEGV: invalid memory access"},
    {SIGBUS, "SIGBUS: bus error"},
    {SIGFPE, "SIGFPE: arithmetic exception"},
    {SIGILL, "SIGILL: illegal instruction"},
    {SIGABRT, "SIGABRT"},
    {SIGTRAP, "SIGTRAP: trap"},
    {SIGSYS, "SIGSYS: bad system call"},
};

const char* meaning(int number, const siginfo_t& info) {
  const bool near_null = reinterpret_cast<std::uint64_t>(info.si_addr) < 4096 && info.si_code > 0;
  if (number == SIGSEGV && near_null) return "SIGSEGV: access through a null pointer";
  if (number == SIGFPE && info.si_code == FPE_INTDIV) return "SIGFPE: integer division by zero";
  for (const FatalSignal& fatal : kFatal) {
    if (fatal.number == number) return fatal.meaning;
  }
  return "";
}

void on_fatal(int number, siginfo_t* info, void*) {
  // From here on the signal kills: the default action follows when we return and the instruction is repeated, or, for a
  // signal that was sent, when it is sent again below.
  real().signal(number, SIG_DFL);
  if (under_engine()) {
    Scheduler& engine = scheduler();
    const bool explained =
        number == SIGABRT && (engine.reported(FindingKind::assertion) || engine.reported(FindingKind::abort) ||
                              engine.reported(FindingKind::uncaught_exception));
    if (!explained) {
      engine.report_signal(number == SIGABRT ? FindingKind::abort : FindingKind::signal, meaning(number, *info), number,
                           reinterpret_cast<std::uint64_t>(info->si_addr));
    }
  }
  if (info->si_code <= 0) {
    raw_syscall(SYS_tgkill, raw_syscall(SYS_getpid), raw_syscall(SYS_gettid), number);
  }
}

// On the thread carrier the kernel picks any thread for a signal to the process; the running one must answer it.
bool passed_on_to_running_task(int number) {
  const unsigned long running = scheduler().current().handle;
  if (pthread_self() == running) return false;
  real().pthread_kill(running, number);
  return true;
}

// Of two stacks captured at different moments: what they have in common, and the function in which they diverge.
// `trampoline` is the frame between the handler and the interrupted code.
void keep_what_stays(StackRecord& kept, const StackRecord& again, std::uint64_t trampoline) {
  std::uint32_t common = 0;
  while (common < kept.count && common < again.count &&
         kept.frames[kept.count - 1 - common] == again.frames[again.count - 1 - common]) {
    ++common;
  }
  std::uint32_t first = kept.count - common;  // of the common part
  if (first == 0 || kept.frames[first - 1] == trampoline) return;
  --first;  // the caller is the same, so this is the same function, at another instruction
  std::uint32_t count = 0;
  kept.frames[count++] = trampoline;
  for (std::uint32_t i = first; i < kept.count; ++i) kept.frames[count++] = kept.frames[i];
  kept.count = count;
}

void on_stuck(int, siginfo_t*, void*) {
  if (!under_engine()) return;
  Scheduler& engine = scheduler();
  if (passed_on_to_running_task(stuck_signal())) return;
  const auto trampoline = reinterpret_cast<std::uint64_t>(__builtin_return_address(0));
  if (engine.reported(FindingKind::timeout)) {
    Channel& channel = engine.channel();
    StackRecord again;
    capture_stack(again);
    for (std::uint32_t i = 0; i < channel.result.findings; ++i) {
      if (channel.result.finding[i].kind != FindingKind::timeout) continue;
      keep_what_stays(channel.result.finding[i].participant[0].stack, again, trampoline);
    }
    ++channel.result.stuck_answers;
    return;
  }
  Task& task = engine.current();
  snprintf(engine.channel().result.stuck, sizeof engine.channel().result.stuck, "T%u", task.id);
  char message[96];
  snprintf(message, sizeof message, "T%u was still running when the time was up", task.id);
  engine.report_signal(FindingKind::timeout, message, 0, 0);
  ++engine.channel().result.stuck_answers;
}

// If this one does nothing, the driver sends another one soon.
void on_nudge(int, siginfo_t*, void* context) {
  if (!under_engine() || interrupts_runtime(context)) return;
  Scheduler& engine = scheduler();
  if (passed_on_to_running_task(nudge_signal())) return;
  const int saved_errno = errno;
  cannot_be_put_back();  // another nudge may be on its way
  engine.nudge();
  if (has_unseen_code()) {
    const auto* const machine = static_cast<const ucontext_t*>(context);
    others_ran_during_call_from(static_cast<std::uint64_t>(machine->uc_mcontext.gregs[REG_RIP]));
  }
  errno = saved_errno;
}

}  // namespace

void install_crash_handlers() {
  // Its own stack: a task that has used up its stack must still be able to say so. Unwinding needs room.
  constexpr std::size_t kSize = 256 * 1024;
  stack_t stack{};
  stack.ss_sp = reserve_pages(kSize);
  stack.ss_size = kSize;
  if (stack.ss_sp != nullptr) sigaltstack(&stack, nullptr);
  struct sigaction action {};
  action.sa_sigaction = &on_fatal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  for (const FatalSignal& fatal : kFatal) real().sigaction(fatal.number, &action, nullptr);
  action.sa_sigaction = &on_stuck;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  real().sigaction(stuck_signal(), &action, nullptr);
  // On the task's own stack, and not blocked in the meantime: other tasks run before this handler returns.
  action.sa_sigaction = &on_nudge;
  action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART;
  real().sigaction(nudge_signal(), &action, nullptr);
}

}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
// Signals sent to threads and to the process, masks, and waiting for signals.
#include <sys/syscall.h>

#include <cerrno>

#include "runtime/abi/export.h"
#include "runtime/interpose/real_symbols.h"
#include "runtime/interpose/runtime_mode.h"
#include "runtime/interpose/signal_operations.h"
#include "runtime/interpose/system_calls.h"
#include "runtime/resident/residence.h"

using namespace ravel;

namespace {

sighandler_t change_handler(int number, sighandler_t handler, int flags, bool blocks_itself) {
  struct sigaction action = {};
  struct sigaction before = {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigemptyset(&action.sa_mask);
  if (blocks_itself) sigaddset(&action.sa_mask, number);
  return sigaction(number, &action, &before) == 0 ? before.sa_handler : SIG_ERR;
}

}  // namespace

RAVEL_EXPORT int sigaction(int number, const struct sigaction* action, struct sigaction* before) noexcept {
  if (!runtime_active()) return real().sigaction(number, action, before);
  if (action != nullptr) cannot_be_put_back();
  return set_signal_action(number, action, before);
}

RAVEL_EXPORT sighandler_t signal(int number, sighandler_t handler) noexcept {
  if (!runtime_active()) return real().signal(number, handler);
  return change_handler(number, handler, SA_RESTART, true);
}

RAVEL_EXPORT sighandler_t __sysv_signal(int number, sighandler_t handler) noexcept {
  if (!runtime_active()) return real().__sysv_signal(number, handler);
  return change_handler(number, handler, static_cast<int>(SA_RESETHAND | SA_NODEFER), false);
}

RAVEL_EXPORT int siginterrupt(int number, int interrupt) noexcept {
  struct sigaction action = {};
  if (sigaction(number, nullptr, &action) != 0) return -1;
  action.sa_flags = interrupt != 0 ? action.sa_flags & ~SA_RESTART : action.sa_flags | SA_RESTART;
  return sigaction(number, &action, nullptr);
}

RAVEL_EXPORT int pthread_kill(pthread_t thread, int signal_number) {
  if (!under_engine()) return real().pthread_kill(thread, signal_number);
  return send_signal(thread, signal_number, nullptr, RAVEL_CALL_SITE);
}

RAVEL_EXPORT int pthread_sigqueue(pthread_t thread, int signal_number, const union sigval value) {
  if (!under_engine()) return real().pthread_sigqueue(thread, signal_number, value);
  return send_signal(thread, signal_number, &value, RAVEL_CALL_SITE);
}

RAVEL_EXPORT int tgkill(pid_t process, pid_t thread, int signal_number) {
  if (!under_engine()) return real().tgkill(process, thread, signal_number);
  return static_cast<int>(system_call({SYS_tgkill, {process, thread, signal_number}}, RAVEL_CALL_SITE));
}

RAVEL_EXPORT int kill(pid_t process, int signal_number) {
  if (!under_engine()) return real().kill(process, signal_number);
  return send_process_signal(process, signal_number, RAVEL_CALL_SITE);
}

RAVEL_EXPORT int pthread_sigmask(int how, const sigset_t* set, sigset_t* before) {
  if (!under_engine()) return real().pthread_sigmask(how, set, before);
  return change_signal_mask(how, set, before);
}

RAVEL_EXPORT int sigprocmask(int how, const sigset_t* set, sigset_t* before) {
  if (!under_engine()) return real().sigprocmask(how, set, before);
  const int error = change_signal_mask(how, set, before);
  if (error != 0) errno = error;
  return error == 0 ? 0 : -1;
}

RAVEL_EXPORT int sigpending(sigset_t* set) {
  if (!under_engine()) return real().sigpending(set);
  return read_pending_signals(set);
}

RAVEL_EXPORT int pause() {
  if (!under_engine()) return real().pause();
  return suspend_for_signal(nullptr, RAVEL_CALL_SITE);
}

RAVEL_EXPORT int sigsuspend(const sigset_t* mask) {
  if (!under_engine()) return real().sigsuspend(mask);
  return suspend_for_signal(mask, RAVEL_CALL_SITE);
}

RAVEL_EXPORT int sigwait(const sigset_t* set, int* signal_number) {
  if (!under_engine()) return real().sigwait(set, signal_number);
  for (;;) {
    const int number = wait_for_signal(set, nullptr, nullptr, RAVEL_CALL_SITE);
    if (number < 0 && errno == EINTR) continue;
    if (number < 0) return errno;
    *signal_number = number;
    return 0;
  }
}

RAVEL_EXPORT int sigwaitinfo(const sigset_t* set, siginfo_t* information) {
  if (!under_engine()) return real().sigwaitinfo(set, information);
  return wait_for_signal(set, information, nullptr, RAVEL_CALL_SITE);
}

RAVEL_EXPORT int sigtimedwait(const sigset_t* set, siginfo_t* information, const timespec* timeout) {
  if (!under_engine()) return real().sigtimedwait(set, information, timeout);
  return wait_for_signal(set, information, timeout, RAVEL_CALL_SITE);
}

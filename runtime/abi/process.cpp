// SPDX-License-Identifier: Apache-2.0
// fork, exit, abort, assertions, std::terminate, waiting for children. Programs that the target starts (exec,
// posix_spawn, system, popen) need nothing here: start-up has taken our variables out of the environment.
#include "runtime/interpose/process_operations.h"

#include <string.h>

#include "runtime/abi/export.h"
#include "runtime/interpose/file_changes.h"
#include "runtime/interpose/free_running.h"
#include "runtime/interpose/real_symbols.h"
#include "runtime/interpose/runtime_mode.h"

using namespace ravel;

RAVEL_EXPORT pid_t fork() {
  if (free_running()) return fork_free_program(real().fork);
  if (!under_engine()) return real().fork();
  process_will_start();
  return fork_program(real().fork, RAVEL_CALL_SITE);
}

RAVEL_EXPORT pid_t _Fork() {
  if (free_running()) return fork_free_program(real()._Fork);
  if (!under_engine()) return real()._Fork();
  process_will_start();
  return fork_program(real()._Fork, RAVEL_CALL_SITE);
}

// vfork returns twice on one stack, which no function around it can survive; a fork is allowed in its place (POSIX).
RAVEL_EXPORT pid_t vfork() {
  if (free_running()) return fork_free_program(real().fork);
  if (!under_engine()) return real().fork();
  process_will_start();
  return fork_program(real().fork, RAVEL_CALL_SITE);
}

// No shared library of glibc has this one: programs link it in. But ThreadSanitizer's library exports it, and programs
// that were linked with that library ask for it here.
extern "C" int __cxa_atexit(void (*function)(void*), void* argument, void* library);
RAVEL_EXPORT int atexit(void (*function)()) {
  return __cxa_atexit(reinterpret_cast<void (*)(void*)>(function), nullptr, nullptr);
}

RAVEL_EXPORT void exit(int code) {
  if (!under_engine()) real().exit(code);
  exit_program(code, RAVEL_CALL_SITE);
}

RAVEL_EXPORT void _exit(int code) {
  if (!under_engine()) real()._exit(code);
  exit_program_at_once(code, RAVEL_CALL_SITE);
}

RAVEL_EXPORT void _Exit(int code) {
  if (!under_engine()) real()._exit(code);
  exit_program_at_once(code, RAVEL_CALL_SITE);
}

RAVEL_EXPORT void quick_exit(int code) {
  if (!under_engine()) real().quick_exit(code);
  quick_exit_program(code, RAVEL_CALL_SITE);
}

RAVEL_EXPORT void abort() {
  if (!under_engine()) real().abort();
  abort_program(RAVEL_CALL_SITE);
}

RAVEL_EXPORT void __assert_fail(const char* expression, const char* file, unsigned line, const char* function) {
  if (under_engine()) report_assertion(expression, file, line, function, RAVEL_CALL_SITE);
  real().__assert_fail(expression, file, line, function);
}

RAVEL_EXPORT void __assert_perror_fail(int error, const char* file, unsigned line, const char* function) {
  if (under_engine()) report_assertion(strerrordesc_np(error), file, line, function, RAVEL_CALL_SITE);
  real().__assert_perror_fail(error, file, line, function);
}

RAVEL_EXPORT void __assert(const char* expression, const char* file, int line) {
  if (under_engine()) report_assertion(expression, file, static_cast<unsigned>(line), nullptr, RAVEL_CALL_SITE);
  real().__assert(expression, file, line);
}

RAVEL_EXPORT TerminateHandler _ZSt13set_terminatePFvvE(TerminateHandler handler) {
  if (!under_engine()) return real()._ZSt13set_terminatePFvvE(handler);
  return set_program_terminate_handler(handler);
}

RAVEL_EXPORT pid_t wait(int* status) {
  if (!under_engine()) return real().wait(status);
  return wait_for_child(-1, status, 0, nullptr, RAVEL_CALL_SITE);
}

RAVEL_EXPORT pid_t waitpid(pid_t child, int* status, int options) {
  if (!under_engine()) return real().waitpid(child, status, options);
  return wait_for_child(child, status, options, nullptr, RAVEL_CALL_SITE);
}

RAVEL_EXPORT pid_t wait4(pid_t child, int* status, int options, rusage* usage) {
  if (!under_engine()) return real().wait4(child, status, options, usage);
  return wait_for_child(child, status, options, usage, RAVEL_CALL_SITE);
}

RAVEL_EXPORT int waitid(idtype_t kind, id_t child, siginfo_t* information, int options) {
  if (!under_engine()) return real().waitid(kind, child, information, options);
  return wait_for_child_by_id(kind, child, information, options, RAVEL_CALL_SITE);
}

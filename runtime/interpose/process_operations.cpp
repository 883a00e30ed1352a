// SPDX-License-Identifier: Apache-2.0
#include "runtime/interpose/process_operations.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include <cerrno>

#include "runtime/interpose/explored_body.h"
#include "runtime/interpose/external_waits.h"
#include "runtime/interpose/memory_fast_path.h"
#include "runtime/interpose/real_symbols.h"
#include "runtime/interpose/runtime_mode.h"
#include "runtime/interpose/task_exit.h"
#include "runtime/resident/residence.h"

namespace ravel {
namespace {

// In a child of the program: the engine stays behind with the parent, whose memory of the driver the child shares.
void become_passive() {
  cannot_be_put_back();
  g_mode = RuntimeMode::passive;
  forget_fast_path();
}

bool death_is_explained() {
  Scheduler& engine = scheduler();
  return engine.reported(FindingKind::assertion) || engine.reported(FindingKind::abort) ||
         engine.reported(FindingKind::uncaught_exception);
}

constexpr const char* kCallsExit = "calls exit: it must return, so that the next execution can begin";

Operation exit_operation(int code, CallSite pc) {
  return operation_on(OperationKind::program_exit, std::uint64_t{0}, pc, static_cast<std::uint64_t>(code));
}

// What std::terminate calls after us. The first is set at start-up; the program sets the second, from any thread.
struct TerminateHandlers {
  TerminateHandler standard = nullptr;  // what libstdc++ had before us
  TerminateHandler program = nullptr;
  bool terminating = false;

  TerminateHandler next() const { return program != nullptr ? program : standard; }
};
constinit TerminateHandlers g_terminate;

// The name of the exception being handled, demangled into `name`; false when there is none.
bool name_current_exception(char* name, std::size_t size) {
  // std::type_info as the C++ ABI lays it out.
  struct TypeInformation {
    const void* vtable;
    const char* name;
  };
  using CurrentType = const TypeInformation* (*)();
  using Demangle = char* (*)(const char*, char*, std::size_t*, int*);
  const auto current_type = reinterpret_cast<CurrentType>(dlsym(RTLD_DEFAULT, "__cxa_current_exception_type"));
  const TypeInformation* type = current_type == nullptr ? nullptr : current_type();
  if (type == nullptr) return false;
  const char* mangled = type->name[0] == '*' ? type->name + 1 : type->name;
  const auto demangle = reinterpret_cast<Demangle>(dlsym(RTLD_DEFAULT, "__cxa_demangle"));
  int status = -1;
  char* plain = demangle == nullptr ? nullptr : demangle(mangled, nullptr, nullptr, &status);
  snprintf(name, size, "%s", status == 0 && plain != nullptr ? plain : mangled);
  real().free(plain);
  return true;
}

// libstdc++ itself asks std::get_terminate which handler to call, so a program that asks gets this function as well and
// may chain to it from its own handler: the second time it must call the default one.
[[noreturn]] void on_terminate() {
  const TerminateHandler handler = g_terminate.terminating ? g_terminate.standard : g_terminate.next();
  if (under_engine() && !g_terminate.terminating) {
    g_terminate.terminating = true;
    char name[300];
    char message[400];
    if (name_current_exception(name, sizeof name)) {
      snprintf(message, sizeof message, "an exception of type %s was not caught", name);
    } else {
      snprintf(message, sizeof message, "std::terminate was called");
    }
    report_on_operation(FindingKind::uncaught_exception, message, exit_operation(0, RAVEL_CALL_SITE));
  }
  if (handler != nullptr) handler();
  real().abort();
  __builtin_unreachable();
}

int wait_options_of(int options) {
  // waitpid's options in waitid's terms: it always waits for the end as well.
  return WEXITED | (options & (WCONTINUED | __WALL | __WCLONE | __WNOTHREAD)) |
         ((options & WUNTRACED) != 0 ? WSTOPPED : 0);
}

}  // namespace

pid_t fork_program(pid_t (*real_fork)(), CallSite pc) {
  refuse_in_explored_body("forks: only the threads of one process are explored");
  reach_point(operation_on(OperationKind::io, std::uint64_t{0}, pc));
  cannot_be_put_back();
  const pid_t child = real_fork();
  if (child == 0) become_passive();
  return child;
}

// Also for forks inside libc, which call none of ours: daemon, forkpty.
void install_fork_handler() { pthread_atfork(&cannot_be_put_back, nullptr, &become_passive); }

void note_program_end() {
  if (!scheduler().controlled()) scheduler().channel().result.summary.outcome = Outcome::ended;
}

void exit_program(int code, CallSite pc) {
  refuse_in_explored_body(kCallsExit);
  reach_point(exit_operation(code, pc));
  note_program_end();
  run_thread_local_destructors(scheduler().current());
  real().exit(code);
  __builtin_unreachable();
}

void exit_program_at_once(int code, CallSite pc) {
  refuse_in_explored_body(kCallsExit);
  reach_point(exit_operation(code, pc));
  note_program_end();
  end_execution(code);
}

void quick_exit_program(int code, CallSite pc) {
  refuse_in_explored_body(kCallsExit);
  reach_point(exit_operation(code, pc));
  note_program_end();
  real().quick_exit(code);
  __builtin_unreachable();
}

void abort_program(CallSite pc) {
  if (!death_is_explained()) {
    report_on_operation(FindingKind::abort, "the program called abort", exit_operation(0, pc));
  }
  real().abort();
  __builtin_unreachable();
}

void report_assertion(const char* expression, const char* file, unsigned line, const char* function, CallSite pc) {
  char message[480];
  if (function != nullptr) {
    snprintf(message, sizeof message, "assertion `%s` failed at %s:%u in %s", expression, file, line, function);
  } else {
    snprintf(message, sizeof message, "assertion `%s` failed at %s:%u", expression, file, line);
  }
  report_on_operation(FindingKind::assertion, message, exit_operation(0, pc));
}

void install_terminate_handler() {
  if (real()._ZSt13set_terminatePFvvE == nullptr) return;  // not a C++ program
  g_terminate.standard = real()._ZSt13set_terminatePFvvE(&on_terminate);
}

TerminateHandler set_program_terminate_handler(TerminateHandler handler) {
  const TerminateHandler before = g_terminate.next();
  g_terminate.program = handler == &on_terminate ? nullptr : handler;
  return before;
}

pid_t wait_for_child(pid_t child, int* status, int options, rusage* usage, CallSite pc) {
  test_cancel();
  ExternalWait wait;
  wait.for_child = true;
  wait.child_options = wait_options_of(options);
  if (child > 0) {
    wait.child_kind = P_PID;
    wait.child = static_cast<id_t>(child);
  } else if (child != -1) {
    wait.child_kind = P_PGID;
    wait.child = static_cast<id_t>(child == 0 ? getpgrp() : -child);
  }
  const Operation operation = operation_on(OperationKind::io, std::uint64_t{0}, pc);
  if ((options & WNOHANG) != 0) {
    reach_point(operation);
  } else if (reach_external(operation, wait) == Turn::cancelled) {
    cancel_current();
  } else if (!is_ready(wait)) {
    errno = EINTR;
    return -1;
  }
  return real().wait4(child, status, options | ((options & WNOHANG) == 0 ? WNOHANG : 0), usage);
}

int wait_for_child_by_id(idtype_t kind, id_t child, siginfo_t* information, int options, CallSite pc) {
  test_cancel();
  ExternalWait wait;
  wait.for_child = true;
  wait.child_kind = kind;
  wait.child = child;
  wait.child_options = options & ~(WNOHANG | WNOWAIT);
  const Operation operation = operation_on(OperationKind::io, std::uint64_t{0}, pc);
  if ((options & WNOHANG) != 0) {
    reach_point(operation);
  } else if (reach_external(operation, wait) == Turn::cancelled) {
    cancel_current();
  } else if (!is_ready(wait)) {
    errno = EINTR;
    return -1;
  }
  return real().waitid(kind, child, information, options | WNOHANG);
}

}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
// The process as a whole: fork, exit, abort, assertions, std::terminate, waiting for children.
#pragma once

#include <sys/resource.h>
#include <sys/wait.h>

#include "runtime/interpose/points.h"

namespace ravel {

// A child made by the program is left alone: everything in it is passed through, and it never touches the channel.
pid_t fork_program(pid_t (*real_fork)(), CallSite pc);

// Registered before any handler of the program, so that the program's handlers already run in a passive child.
void install_fork_handler();

// The program is about to end by itself. Before the first task nothing else says so, and the driver tells by it an end
// from an exec: to it, both close the socket.
void note_program_end();

[[noreturn]] void exit_program(int code, CallSite pc);
[[noreturn]] void exit_program_at_once(int code, CallSite pc);
[[noreturn]] void quick_exit_program(int code, CallSite pc);
[[noreturn]] void abort_program(CallSite pc);

// Reports the finding; the real function then prints and aborts.
void report_assertion(const char* expression, const char* file, unsigned line, const char* function, CallSite pc);

// std::terminate: our handler says what happened, then the program's own (or the default one) runs.
using TerminateHandler = void (*)();
void install_terminate_handler();
TerminateHandler set_program_terminate_handler(TerminateHandler handler);

pid_t wait_for_child(pid_t child, int* status, int options, rusage* usage, CallSite pc);
int wait_for_child_by_id(idtype_t kind, id_t child, siginfo_t* information, int options, CallSite pc);

}  // namespace ravel

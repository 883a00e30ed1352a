// SPDX-License-Identifier: Apache-2.0
// Signals between tasks. The kernel delivers a signal to the calling task at once. A signal to another task is kept
// with that task and delivered when it runs next: the kernel does not know which task is meant.
#pragma once

#include <signal.h>
#include <time.h>

#include "runtime/interpose/points.h"

namespace ravel {

int send_signal(pthread_t thread, int signal_number, const sigval* value, CallSite pc);

// A signal to the whole process: the kernel delivers it to the running task.
int send_process_signal(pid_t process, int signal_number, CallSite pc);

// Raises what other tasks sent to `task`, which is the running one.
void deliver_signals(Task& task);

int wait_for_any_signal(CallSite pc);                                                                    // pause
int suspend_with_mask(const sigset_t* mask, CallSite pc);                                                // sigsuspend
int wait_for_signal(const sigset_t* set, siginfo_t* information, const timespec* timeout, CallSite pc);  // sigtimedwait

}  // namespace ravel

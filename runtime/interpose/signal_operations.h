// SPDX-License-Identifier: Apache-2.0
// Signals of tasks. Each task has a mask and a set of pending signals, as a thread has. A signal that a task sends is
// kept with its receiver and strikes when that runs next: the kernel does not know which task is meant. A signal to the
// process that everybody blocks stays pending in the kernel, where signalfd sees it, too. A signal from outside strikes
// whichever task runs, by the mask that was set last (on the fiber carrier), or is handed out when no task can run. If
// it interrupts the runtime itself, it waits until that is done: the handlers of the program are called through one of
// ours.
//
// Called on the running task.
#pragma once

#include <signal.h>
#include <time.h>

#include "runtime/interpose/external_waits.h"
#include "runtime/interpose/points.h"

namespace ravel {

// Control begins: the mask of the process is that of its only task.
void adopt_signal_mask();

int change_signal_mask(int how, const sigset_t* set, sigset_t* before);  // pthread_sigmask
int read_pending_signals(sigset_t* set);                                 // sigpending

int send_signal(pthread_t thread, int signal_number, const sigval* value, CallSite pc);
int send_process_signal(pid_t process, int signal_number, CallSite pc);

// sigaction, for signals other than those that tell of a crash.
int set_signal_action(int number, const struct sigaction* action, struct sigaction* before);

// While one of these exists, the runtime is at work in functions of libc: signals from outside wait.
class SignalsHeldBack {
 public:
  SignalsHeldBack();
  ~SignalsHeldBack();
  SignalsHeldBack(const SignalsHeldBack&) = delete;
  SignalsHeldBack& operator=(const SignalsHeldBack&) = delete;
};

// Did a signal with this context interrupt code of ours? Between two of its statements, what others rely on may not be
// true.
bool interrupts_runtime(const void* context);

// Signals that came while the runtime was at work.
extern constinit volatile std::uint64_t g_arrived_signals;

// A timer's signal to the process. Would it be noticed, or kill? Has it been sent before and not been taken yet?
void send_signal_of_timer(int number);
bool is_noticed(int number);
bool is_pending_anywhere(int number);

// Lets what was sent to `task`, which is the running one, strike, unless it is blocked.
void deliver_signals(Task& task);

// No task can go on: signals that the kernel holds, because the task that ran last blocks them, go to tasks that do
// not. True if one of them can go on now.
bool hand_out_signals();

// Waits until a handler has run. mask: sigsuspend; null: pause.
int suspend_for_signal(const sigset_t* mask, CallSite pc);
int wait_for_signal(const sigset_t* set, siginfo_t* information, const timespec* timeout, CallSite pc);  // sigtimedwait

// Of a wait for signals: has one come that ends it? Could one come from outside? Not one that tasks send themselves:
// then the wait is for a task.
bool signals_have_come(const ExternalWait& wait);
bool outside_may_signal(const ExternalWait& wait);

}  // namespace ravel

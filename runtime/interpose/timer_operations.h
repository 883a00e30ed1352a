// SPDX-License-Identifier: Apache-2.0
// Timers of the program: timerfd, setitimer, alarm, timer_create. Under control they run in virtual time. The kernel's
// timer stays disarmed, and its time is kept here:
//  - A descriptor becomes readable when its time has come. Who waits for it has the timer's deadline for his own, so
//    time passes for a timer as it does for a sleep.
//  - A signal is sent when time passes beyond the deadline. One that would kill the program (an alarm for tests that
//    hang) is not sent: whether the program hangs is for Ravel to say.
// Before control begins, timers are the kernel's. Timers that start threads (SIGEV_THREAD), and those that measure
// processor time, stay the kernel's.
//
// Called on the running task. Results and errno are those of the system calls.
#pragma once

#include <sys/time.h>
#include <sys/types.h>
#include <time.h>

#include <cstdint>

#include "runtime/interpose/external_waits.h"

namespace ravel {

// Control begins: what runs in the kernel goes on here, from its beginning.
void adopt_timers();

int create_timer_descriptor(int clock, int flags);
int set_timer_descriptor(int descriptor, int flags, const itimerspec* time, itimerspec* before, CallSite pc);
int read_timer_descriptor(int descriptor, itimerspec* left);
// The program's descriptor is closed.
void forget_timer_descriptor(int descriptor);

int set_interval_timer(int which, const itimerval* time, itimerval* before);
int read_interval_timer(int which, itimerval* left);

int create_timer(clockid_t clock, sigevent* event, timer_t* timer);
int set_timer(timer_t timer, int flags, const itimerspec* time, itimerspec* before);
int read_timer(timer_t timer, itimerspec* left);
int delete_timer(timer_t timer);

// Makes descriptors readable whose time has come.
void expire_descriptors();

// When the first timer among the descriptors comes, as far as it is not readable already; kNever if there is none.
std::uint64_t next_expiration(const ExternalWait& wait);

// After a read of `size` bytes from a descriptor: if it is a timer, `buffer` gets the number of its expirations.
void count_expirations(int descriptor, void* buffer, ssize_t size);

// A timer in virtual time: nobody outside makes it readable.
bool is_virtual_timer(int descriptor);

// Hooks of the scheduler: the time of the next timer that sends a signal, kNever if there is none; and the signals of
// those whose time has come.
std::uint64_t next_timer_signal();
void send_timer_signals();

}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
// Timers of the kernel run in real time, sleeps in virtual time: an hour is slept in no time, and timers of a minute,
// set before, have not fired.
#include <poll.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <cassert>
#include <thread>

volatile sig_atomic_t fired = 0;

int main() {
  signal(SIGALRM, [](int) { fired = 1; });
  std::thread([] {
    const int timer = timerfd_create(CLOCK_MONOTONIC, 0);
    const itimerspec minute = {{0, 0}, {60, 0}};
    assert(timerfd_settime(timer, 0, &minute, nullptr) == 0);
    alarm(60);
    assert(sleep(3600) == 0);
    assert(alarm(0) > 0);

    const itimerval interval = {{0, 0}, {60, 0}};
    assert(setitimer(ITIMER_REAL, &interval, nullptr) == 0);
    assert(sleep(3600) == 0);
    itimerval left = {};
    assert(getitimer(ITIMER_REAL, &left) == 0);
    assert(left.it_value.tv_sec > 0);

    assert(fired == 0);
    pollfd readable = {timer, POLLIN, 0};
    assert(poll(&readable, 1, 0) == 0);
    close(timer);
  }).join();
}

// SPDX-License-Identifier: Apache-2.0
// A timer that starts a thread is the kernel's and runs in real time, sleeps run in virtual time: an hour is slept in
// no time, and the timer of a minute, set before, has not fired.
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <thread>

std::atomic<bool> fired = false;

int main() {
  std::thread([] {
    sigevent event = {};
    event.sigev_notify = SIGEV_THREAD;
    event.sigev_notify_function = [](sigval) { fired = true; };
    timer_t timer = nullptr;
    assert(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
    const itimerspec minute = {{0, 0}, {60, 0}};
    assert(timer_settime(timer, 0, &minute, nullptr) == 0);
    assert(sleep(3600) == 0);
    assert(!fired);
    itimerspec left = {};
    assert(timer_gettime(timer, &left) == 0 && left.it_value.tv_sec > 0);
    assert(timer_delete(timer) == 0);
  }).join();
}

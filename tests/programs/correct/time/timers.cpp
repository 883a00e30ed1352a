// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// BUILD: plain
// Timers keep the same time as sleeps and clocks: in an hour of sleep, a timer of a minute fires. An alarm that nobody
// handles would kill the program; it is for a program that hangs.
#include <poll.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include <cassert>
#include <cerrno>
#include <thread>

namespace {

volatile sig_atomic_t alarms = 0;
volatile sig_atomic_t ticks = 0;

void descriptor() {
  const int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
  const itimerspec each_minute = {{60, 0}, {60, 0}};
  assert(timerfd_settime(timer, 0, &each_minute, nullptr) == 0);
  unsigned long long times = 0;
  assert(read(timer, &times, sizeof times) == -1 && errno == EAGAIN);
  itimerspec left = {};
  assert(timerfd_gettime(timer, &left) == 0);
  assert(left.it_interval.tv_sec == 60 && left.it_value.tv_sec <= 60 && left.it_value.tv_sec >= 59);
  timespec rest = {10 * 60 + 30, 0};
  while (nanosleep(&rest, &rest) != 0) {
  }
  pollfd readable = {timer, POLLIN, 0};
  assert(poll(&readable, 1, 0) == 1);
  assert(read(timer, &times, sizeof times) == sizeof times && times == 10);
  assert(poll(&readable, 1, -1) == 1);  // the eleventh comes, without any sleep
  assert(read(timer, &times, sizeof times) == sizeof times && times == 1);
  const itimerspec never = {};
  assert(timerfd_settime(timer, 0, &never, nullptr) == 0);
  assert(poll(&readable, 1, 3600 * 1000) == 0);
  close(timer);
}

void signals() {
  alarm(60);
  const unsigned left = sleep(3600);
  assert(alarms == 1 && left >= 3539 && left <= 3540);
  const itimerval each_second = {{1, 0}, {1, 0}};
  assert(setitimer(ITIMER_REAL, &each_second, nullptr) == 0);
  while (alarms < 4) pause();
  const itimerval never = {};
  itimerval before = {};
  assert(setitimer(ITIMER_REAL, &never, &before) == 0 && before.it_interval.tv_sec == 1);

  sigevent event = {};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGUSR1;
  timer_t timer = nullptr;
  assert(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
  const itimerspec soon = {{0, 0}, {0, 1000}};
  assert(timer_settime(timer, 0, &soon, nullptr) == 0);
  while (ticks == 0) usleep(100);
  assert(timer_delete(timer) == 0);

  signal(SIGALRM, SIG_DFL);
  alarm(5);
  assert(sleep(10) == 0);
  assert(alarm(0) == 0);
}

}  // namespace

int main() {
  signal(SIGALRM, [](int) { alarms = alarms + 1; });
  signal(SIGUSR1, [](int) { ticks = ticks + 1; });
  std::thread other([] {
    for (int i = 0; i < 3; ++i) std::this_thread::yield();
  });
  other.join();
  descriptor();
  signals();
}

// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Signal handlers write to a pipe, and a thread waits for it: signals of threads and of a timer, which comes while no
// thread can run.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <cassert>
#include <cerrno>
#include <thread>

namespace {

int ends[2];

void handler(int number) {
  const int saved_errno = errno;
  const auto byte = static_cast<unsigned char>(number);
  (void)!write(ends[1], &byte, 1);
  errno = saved_errno;
}

void handle(int number) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  assert(sigaction(number, &action, nullptr) == 0);
  struct sigaction now = {};
  assert(sigaction(number, nullptr, &now) == 0 && now.sa_handler == handler && now.sa_flags == SA_RESTART);
}

}  // namespace

int main() {
  assert(pipe2(ends, O_NONBLOCK) == 0);
  handle(SIGUSR1);
  handle(SIGALRM);
  std::thread waits([] {
    bool user = false;
    bool time = false;
    while (!user || !time) {
      pollfd readable = {ends[0], POLLIN, 0};
      poll(&readable, 1, -1);
      unsigned char byte = 0;
      while (read(ends[0], &byte, 1) == 1) {
        user = user || byte == SIGUSR1;
        time = time || byte == SIGALRM;
      }
    }
  });
  const itimerval soon = {{0, 0}, {0, 20'000}};
  assert(setitimer(ITIMER_REAL, &soon, nullptr) == 0);
  assert(kill(getpid(), SIGUSR1) == 0);
  waits.join();
}

// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Before the first thread a wait takes the time that it takes without Ravel: none when it does not wait, and as long as
// it must when another process is to act. The alarm is in real time.
#include <poll.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cassert>
#include <chrono>
#include <thread>

int main() {
  alarm(5);
  int ends[2];
  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  const int poller = epoll_create1(0);
  epoll_event wanted{};
  wanted.events = EPOLLIN;
  assert(epoll_ctl(poller, EPOLL_CTL_ADD, ends[0], &wanted) == 0);
  for (int i = 0; i < 500; ++i) {
    epoll_event event;
    assert(epoll_wait(poller, &event, 1, 0) == 0);
  }

  pollfd waited{ends[0], POLLIN, 0};
  const auto start = std::chrono::steady_clock::now();
  assert(poll(&waited, 1, 3) == 0);
  assert(std::chrono::steady_clock::now() - start >= std::chrono::milliseconds(3));

  const pid_t child = fork();
  if (child == 0) {
    usleep(30'000);
    _exit(write(ends[1], "x", 1) == 1 ? 0 : 1);
  }
  assert(poll(&waited, 1, 4000) == 1);
  int status = 0;
  assert(waitpid(child, &status, 0) == child && status == 0);
  close(ends[0]);
  close(ends[1]);
  close(poller);
  alarm(0);
  std::thread([] {}).join();
}

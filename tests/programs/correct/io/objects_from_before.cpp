// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Pipes, counters, timers and sets of them from before the first thread. Every execution finds them as the program left
// them there, whatever the executions before it did with them.
#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <cassert>
#include <cerrno>
#include <cstdint>
#include <thread>

namespace {

int counter = -1;
int same_counter = -1;
int permits = -1;
int timer = -1;
int set = -1;
int channel[2] = {-1, -1};

std::uint64_t take(int descriptor) {
  std::uint64_t value = 0;
  return read(descriptor, &value, sizeof value) == sizeof value ? value : 0;
}

void watch(int descriptor) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.u64 = 1000 + static_cast<std::uint64_t>(descriptor);
  assert(epoll_ctl(set, EPOLL_CTL_ADD, descriptor, &event) == 0);
}

void open_everything() {
  counter = eventfd(5, EFD_NONBLOCK | EFD_CLOEXEC);
  same_counter = dup(counter);
  permits = eventfd(2, EFD_SEMAPHORE | EFD_NONBLOCK);
  timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
  set = epoll_create1(EPOLL_CLOEXEC);
  assert(pipe2(channel, O_NONBLOCK) == 0);
  itimerspec later{};
  later.it_value.tv_sec = 100;  // not before the first thread, however busy the machine is
  assert(timerfd_settime(timer, 0, &later, nullptr) == 0);
  watch(channel[0]);
}

}  // namespace

int main() {
  open_everything();
  std::thread writer([] { assert(write(channel[1], "ab", 2) == 2); });
  std::thread reader([] {
    epoll_event event{};
    assert(epoll_wait(set, &event, 1, -1) == 1);
    assert(event.data.u64 == 1000 + static_cast<std::uint64_t>(channel[0]));
    char text[4];
    assert(read(channel[0], text, sizeof text) == 2);
    assert(read(channel[0], text, sizeof text) == -1 && errno == EAGAIN);
  });
  assert(take(same_counter) == 5 && take(counter) == 0);
  assert(take(permits) == 1 && take(permits) == 1 && take(permits) == 0);
  assert((fcntl(counter, F_GETFD) & FD_CLOEXEC) != 0 && (fcntl(permits, F_GETFD) & FD_CLOEXEC) == 0);
  writer.join();
  reader.join();
  watch(timer);
  epoll_event event{};
  assert(epoll_wait(set, &event, 1, -1) == 1);
  assert(take(timer) == 1);
  const std::uint64_t three = 3;
  assert(write(counter, &three, sizeof three) == sizeof three);
  assert(write(channel[1], "left behind", 11) == 11);
}

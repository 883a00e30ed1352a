// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: assertion
// A timer of 50 ms is meant to come after the answer, which takes no time. On a busy machine it comes before.
#include <sys/timerfd.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>

int main() {
  std::atomic<bool> answered = false;
  std::thread server([&] { answered = true; });
  const int timer = timerfd_create(CLOCK_MONOTONIC, 0);
  const itimerspec later = {{0, 0}, {0, 50'000'000}};
  timerfd_settime(timer, 0, &later, nullptr);
  std::uint64_t times = 0;
  assert(read(timer, &times, sizeof times) == sizeof times);
  assert(answered);
  close(timer);
  server.join();
}

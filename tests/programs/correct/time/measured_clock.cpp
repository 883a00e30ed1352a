// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Correct: a task reads the clock hundreds of times between short sleeps, as libraries do to learn how fast the
// processor's counter runs. The sleeps take a quarter of a second, and reading the clock takes no seconds.
#include <algorithm>
#include <cassert>
#include <chrono>
#include <thread>

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

static Clock::duration shortest_read() {
  Clock::duration best = Clock::duration::max();
  for (int i = 0; i < 10; ++i) {
    const Clock::time_point before = Clock::now();
    best = std::min(best, Clock::now() - before);
  }
  return best;
}

int main() {
  const Clock::time_point begin = Clock::now();
  std::thread measuring([] {
    for (milliseconds pause(1); pause <= milliseconds(128); pause *= 2) {
      assert(shortest_read() < milliseconds(1));
      std::this_thread::sleep_for(pause);
      assert(shortest_read() < milliseconds(1));
    }
  });
  std::thread other([] { std::this_thread::sleep_for(milliseconds(10)); });
  measuring.join();
  other.join();
  assert(Clock::now() - begin < milliseconds(1000));
}

// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// One sleeps and then sets what the others wait for. They look, yield and sleep a little, again and again: that must
// not keep the time of the sleeper from coming.
#include <atomic>
#include <cassert>
#include <chrono>
#include <thread>
#include <vector>

using namespace std::chrono_literals;

int main() {
  std::atomic<bool> busy{true};
  std::vector<std::thread> waiters;
  for (int i = 0; i < 3; ++i) {
    waiters.emplace_back([&] {
      for (int round = 1; busy.load(std::memory_order_relaxed); ++round) {
        assert(round < 20'000);
        if (round % 250 == 0) std::this_thread::yield();
        if (round % 250 == 1) std::this_thread::sleep_for(10us);
      }
    });
  }
  std::thread sleeper([&] {
    std::this_thread::sleep_for(20ms);
    busy = false;
  });
  sleeper.join();
  for (std::thread& waiter : waiters) waiter.join();
}

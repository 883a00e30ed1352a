// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// A task that reads the same memory again and again looks as if it waited, but it works. The other one does wait, and
// yields: it must not run instead of the first for ever.
#include <sched.h>

#include <atomic>
#include <cassert>
#include <thread>

int main() {
  std::atomic<int> shared[8] = {};
  std::atomic<bool> done{false};
  std::atomic<int> rounds{0};
  std::thread waiter([&] {
    for (auto& one : shared) one = 1;
    while (!done) {
      assert(++rounds < 20'000);
      sched_yield();
    }
  });
  std::thread worker([&] {
    int sum = 0;
    for (int round = 0; round < 200; ++round) {
      for (auto& one : shared) sum += one;
    }
    done = sum >= 0;
  });
  waiter.join();
  worker.join();
}

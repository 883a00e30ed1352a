// SPDX-License-Identifier: Apache-2.0
// A load that returns a store made long before. C++ allows it to see any of the hundred; Ravel offers the newest ones
// only, as many as --history says, and a note tells when that left something out.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> counter = 0;
std::atomic<bool> done = false;

int main() {
  std::thread first([] {
    for (int i = 1; i <= 100; ++i) counter.store(i, std::memory_order_relaxed);
    done.store(true, std::memory_order_relaxed);
  });
  std::thread second([] {
    if (done.load(std::memory_order_relaxed)) assert(counter.load(std::memory_order_relaxed) > 50);
  });
  first.join();
  second.join();
}

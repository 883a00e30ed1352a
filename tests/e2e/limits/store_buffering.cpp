// SPDX-License-Identifier: Apache-2.0
// Store buffering. C++ and real processors allow both tasks to read 0; an interleaving of the two does not. Atomics are
// performed sequentially consistently, so this assertion holds under Ravel and may fail outside.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> x = 0;
std::atomic<int> y = 0;

int main() {
  int seen_by_first = 0;
  int seen_by_second = 0;
  std::thread first([&] {
    x.store(1, std::memory_order_relaxed);
    seen_by_first = y.load(std::memory_order_relaxed);
  });
  std::thread second([&] {
    y.store(1, std::memory_order_relaxed);
    seen_by_second = x.load(std::memory_order_relaxed);
  });
  first.join();
  second.join();
  assert(seen_by_first == 1 || seen_by_second == 1);
}

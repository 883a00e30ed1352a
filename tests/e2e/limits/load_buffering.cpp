// SPDX-License-Identifier: Apache-2.0
// Load buffering. C++ allows both tasks to read 1: each load is performed after the other task's store, which follows
// that task's own load. Ravel performs the operations of a task in the order of the program, so a load never returns a
// store that has not been made yet, and this assertion holds under Ravel. It may fail outside.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> x = 0;
std::atomic<int> y = 0;

int main() {
  int seen_by_first = 0;
  int seen_by_second = 0;
  std::thread first([&] {
    seen_by_first = x.load(std::memory_order_relaxed);
    y.store(1, std::memory_order_relaxed);
  });
  std::thread second([&] {
    seen_by_second = y.load(std::memory_order_relaxed);
    x.store(1, std::memory_order_relaxed);
  });
  first.join();
  second.join();
  assert(seen_by_first == 0 || seen_by_second == 0);
}

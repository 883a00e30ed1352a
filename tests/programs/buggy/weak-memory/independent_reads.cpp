// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: assertion
// IRIW: two tasks see two independent stores in opposite orders. Acquire and release allow it: there is no common order
// of stores to different variables. On x86 a store becomes visible to all others at once, so no x86 machine shows it.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> x{0};
static std::atomic<int> y{0};

int main() {
  int first_x = 0;
  int first_y = 0;
  int second_x = 0;
  int second_y = 0;
  std::thread write_x([] { x.store(1, std::memory_order_release); });
  std::thread write_y([] { y.store(1, std::memory_order_release); });
  std::thread first([&] {
    first_x = x.load(std::memory_order_acquire);
    first_y = y.load(std::memory_order_acquire);
  });
  std::thread second([&] {
    second_y = y.load(std::memory_order_acquire);
    second_x = x.load(std::memory_order_acquire);
  });
  write_x.join();
  write_y.join();
  first.join();
  second.join();
  bool x_before_y = first_x == 1 && first_y == 0;
  bool y_before_x = second_y == 1 && second_x == 0;
  assert(!(x_before_y && y_before_x));
}

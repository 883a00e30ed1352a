// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// The repaired twin: sequentially consistent operations have one order that all tasks agree on.
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
  std::thread write_x([] { x.store(1); });
  std::thread write_y([] { y.store(1); });
  std::thread first([&] {
    first_x = x.load();
    first_y = y.load();
  });
  std::thread second([&] {
    second_y = y.load();
    second_x = x.load();
  });
  write_x.join();
  write_y.join();
  first.join();
  second.join();
  bool x_before_y = first_x == 1 && first_y == 0;
  bool y_before_x = second_y == 1 && second_x == 0;
  assert(!(x_before_y && y_before_x));
}

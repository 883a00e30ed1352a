// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// The repaired twin: the one order of sequentially consistent stores agrees with both modification orders.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> x{0};
static std::atomic<int> y{0};

int main() {
  std::thread first([] {
    x.store(1);
    y.store(2);
  });
  std::thread second([] {
    y.store(1);
    x.store(2);
  });
  first.join();
  second.join();
  assert(!(x.load() == 1 && y.load() == 1));
}

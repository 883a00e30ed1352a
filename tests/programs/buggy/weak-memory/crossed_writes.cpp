// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: assertion
// 2+2W: each task's first store may come last in the modification order of its variable, in both at once. x86 makes the
// stores of a task visible in their order, so no x86 machine shows it. Release would not help: nobody reads.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> x{0};
static std::atomic<int> y{0};

int main() {
  std::thread first([] {
    x.store(1, std::memory_order_relaxed);
    y.store(2, std::memory_order_relaxed);
  });
  std::thread second([] {
    y.store(1, std::memory_order_relaxed);
    x.store(2, std::memory_order_relaxed);
  });
  first.join();
  second.join();
  assert(!(x.load() == 1 && y.load() == 1));
}

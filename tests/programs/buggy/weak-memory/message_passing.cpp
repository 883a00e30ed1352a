// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: assertion
// Everything is atomic, nothing is ordered: the reader may see the flag and then the old data. x86 keeps stores in
// order and loads in order, so no x86 machine shows it; ARM and POWER do, and C++ allows it.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> data{0};
static std::atomic<bool> ready{false};

int main() {
  std::thread writer([] {
    data.store(42, std::memory_order_relaxed);
    ready.store(true, std::memory_order_relaxed);
  });
  std::thread reader([] {
    while (!ready.load(std::memory_order_relaxed)) std::this_thread::yield();
    assert(data.load(std::memory_order_relaxed) == 42);
  });
  writer.join();
  reader.join();
}

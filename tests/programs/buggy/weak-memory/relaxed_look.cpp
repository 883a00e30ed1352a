// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: assertion
// The writer releases, but the reader looks at the flag relaxed: its two loads may be done in either order. x86 does
// loads in order and cannot show it.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> data{0};
static std::atomic<bool> ready{false};

int main() {
  std::thread writer([] {
    data.store(42, std::memory_order_relaxed);
    ready.store(true, std::memory_order_release);
  });
  std::thread reader([] {
    if (ready.load(std::memory_order_relaxed)) assert(data.load(std::memory_order_relaxed) == 42);
  });
  writer.join();
  reader.join();
}

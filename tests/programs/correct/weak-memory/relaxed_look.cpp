// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// The repaired twin: the relaxed look is followed by an acquire fence before the data is read.
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
    if (!ready.load(std::memory_order_relaxed)) return;
    std::atomic_thread_fence(std::memory_order_acquire);
    assert(data.load(std::memory_order_relaxed) == 42);
  });
  writer.join();
  reader.join();
}

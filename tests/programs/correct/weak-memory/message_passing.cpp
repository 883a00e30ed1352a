// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// The repaired twin: release and acquire on the flag. The data may stay relaxed.
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
    while (!ready.load(std::memory_order_acquire)) std::this_thread::yield();
    assert(data.load(std::memory_order_relaxed) == 42);
  });
  writer.join();
  reader.join();
}

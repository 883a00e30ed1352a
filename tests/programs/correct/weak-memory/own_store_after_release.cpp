// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// The repaired twin: a release fence covers every later store of the task.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> data{0};
static std::atomic<int> stage{0};

int main() {
  std::thread writer([] {
    data.store(42, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
    stage.store(1, std::memory_order_relaxed);
    stage.store(2, std::memory_order_relaxed);
  });
  std::thread reader([] {
    if (stage.load(std::memory_order_acquire) >= 1) assert(data.load(std::memory_order_relaxed) == 42);
  });
  writer.join();
  reader.join();
}

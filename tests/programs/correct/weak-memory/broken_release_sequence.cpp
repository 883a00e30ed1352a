// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// The repaired twin: a read-modify-write, relaxed as it is, continues the release sequence.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> data{0};
static std::atomic<int> stage{0};

int main() {
  std::thread writer([] {
    data.store(42, std::memory_order_relaxed);
    stage.store(1, std::memory_order_release);
  });
  std::thread middle([] {
    int expected = 1;
    while (!stage.compare_exchange_weak(expected, 2, std::memory_order_relaxed)) {
      expected = 1;
      std::this_thread::yield();
    }
  });
  std::thread reader([] {
    while (stage.load(std::memory_order_acquire) != 2) std::this_thread::yield();
    assert(data.load(std::memory_order_relaxed) == 42);
  });
  writer.join();
  middle.join();
  reader.join();
}

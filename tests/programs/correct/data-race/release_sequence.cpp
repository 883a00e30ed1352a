// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Kept: a read-modify-write of any order and any task continues the release sequence.
#include <atomic>
#include <cassert>
#include <thread>

static int data = 0;
static std::atomic<int> stage{0};

int main() {
  std::thread writer([] {
    data = 42;
    stage.store(1, std::memory_order_release);
  });
  std::thread middle([] {
    while (stage.load(std::memory_order_relaxed) != 1) std::this_thread::yield();
    stage.fetch_add(1, std::memory_order_relaxed);
  });
  std::thread reader([] {
    while (stage.load(std::memory_order_acquire) != 2) std::this_thread::yield();
    assert(data == 42);
  });
  writer.join();
  middle.join();
  reader.join();
}

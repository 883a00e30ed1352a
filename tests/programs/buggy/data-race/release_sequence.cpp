// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: data-race
// Broken: a relaxed store of another task is not part of the release sequence, so an acquire load that reads it does
// not synchronise with the release store before it.
#include <atomic>
#include <thread>

static int data = 0;
static std::atomic<int> stage{0};
static int seen = 0;

int main() {
  std::thread writer([] {
    data = 42;
    stage.store(1, std::memory_order_release);
  });
  std::thread middle([] {
    while (stage.load(std::memory_order_relaxed) != 1) std::this_thread::yield();
    stage.store(2, std::memory_order_relaxed);
  });
  std::thread reader([] {
    while (stage.load(std::memory_order_acquire) != 2) std::this_thread::yield();
    seen = data;
  });
  writer.join();
  middle.join();
  reader.join();
}

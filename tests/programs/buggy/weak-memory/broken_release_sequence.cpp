// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: assertion
// A relaxed store of another task ends the release sequence: the acquire load that reads it synchronises with nothing,
// and the middle task, which looked relaxed, has nothing to pass on.
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
    while (stage.load(std::memory_order_relaxed) != 1) std::this_thread::yield();
    stage.store(2, std::memory_order_relaxed);
  });
  std::thread reader([] {
    while (stage.load(std::memory_order_acquire) != 2) std::this_thread::yield();
    assert(data.load(std::memory_order_relaxed) == 42);
  });
  writer.join();
  middle.join();
  reader.join();
}

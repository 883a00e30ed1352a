// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// The repaired twin: happens-before is transitive. The middle task's load happens before its release store, and
// coherence then keeps the reader from an older value than the middle task saw, although the data stays relaxed.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> data{0};
static std::atomic<int> heard{0};

int main() {
  std::thread writer([] { data.store(1, std::memory_order_relaxed); });
  std::thread middle([] {
    if (data.load(std::memory_order_relaxed) == 1) heard.store(1, std::memory_order_release);
  });
  std::thread reader([] {
    if (heard.load(std::memory_order_acquire) == 1) assert(data.load(std::memory_order_relaxed) == 1);
  });
  writer.join();
  middle.join();
  reader.join();
}

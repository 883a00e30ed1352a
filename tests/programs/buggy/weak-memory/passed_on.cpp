// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: assertion
// WRC: the middle task saw the data and says so with a relaxed store; who hears it need not see the data. x86 shows a
// store to all others at once and keeps loads and stores in order, so no x86 machine shows it.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> data{0};
static std::atomic<int> heard{0};

int main() {
  std::thread writer([] { data.store(1, std::memory_order_relaxed); });
  std::thread middle([] {
    if (data.load(std::memory_order_relaxed) == 1) heard.store(1, std::memory_order_relaxed);
  });
  std::thread reader([] {
    if (heard.load(std::memory_order_relaxed) == 1) assert(data.load(std::memory_order_relaxed) == 1);
  });
  writer.join();
  middle.join();
  reader.join();
}

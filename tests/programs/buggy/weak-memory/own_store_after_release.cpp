// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: assertion
// Since C++20 a later relaxed store even of the same task is no part of the release sequence (P0982). Who acquires the
// second value does not see what was written before the first. x86 keeps the stores in order.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> data{0};
static std::atomic<int> stage{0};

int main() {
  std::thread writer([] {
    data.store(42, std::memory_order_relaxed);
    stage.store(1, std::memory_order_release);
    stage.store(2, std::memory_order_relaxed);
  });
  std::thread reader([] {
    if (stage.load(std::memory_order_acquire) == 2) assert(data.load(std::memory_order_relaxed) == 42);
  });
  writer.join();
  reader.join();
}

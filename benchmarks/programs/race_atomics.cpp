// SPDX-License-Identifier: Apache-2.0
// Four threads count with atomics, and two of them pass numbers to the other two through ring buffers.
#include <array>
#include <atomic>
#include <thread>
#include <vector>

namespace {

struct Ring {
  std::array<int, 256> slot{};
  std::atomic<unsigned> head{0};
  std::atomic<unsigned> tail{0};

  bool push(int value) {
    const unsigned at = tail.load(std::memory_order_relaxed);
    if (at - head.load(std::memory_order_acquire) == slot.size()) return false;
    slot[at % slot.size()] = value;
    tail.store(at + 1, std::memory_order_release);
    return true;
  }
  bool pop(int& value) {
    const unsigned at = head.load(std::memory_order_relaxed);
    if (at == tail.load(std::memory_order_acquire)) return false;
    value = slot[at % slot.size()];
    head.store(at + 1, std::memory_order_release);
    return true;
  }
};

constexpr int kItems = 15000;

}  // namespace

int main() {
  std::array<Ring, 2> rings;
  std::array<std::atomic<long>, 4> counters{};
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 2; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < kItems; ++i) {
        while (!rings[t].push(i)) std::this_thread::yield();
        counters[static_cast<unsigned>(i) % 4].fetch_add(1, std::memory_order_relaxed);
      }
    });
    threads.emplace_back([&, t] {
      for (int i = 0; i < kItems; ++i) {
        int value = 0;
        while (!rings[t].pop(value)) std::this_thread::yield();
        counters[static_cast<unsigned>(value) % 4].fetch_sub(1);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  return counters[0] == 0 ? 0 : 1;
}

// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: data-race
// Broken: the indices of the ring are atomic but relaxed, so the slots themselves are handed over unordered.
#include <atomic>
#include <thread>

static constexpr unsigned kSize = 2;
static int slots[kSize];
static std::atomic<unsigned> written{0};
static std::atomic<unsigned> taken{0};
static int total = 0;  // of the consumer alone

static void produce() {
  for (unsigned i = 0; i < 4; ++i) {
    while (i - taken.load(std::memory_order_relaxed) == kSize) std::this_thread::yield();
    slots[i % kSize] = static_cast<int>(i);
    written.store(i + 1, std::memory_order_relaxed);
  }
}

static void consume() {
  for (unsigned i = 0; i < 4; ++i) {
    while (written.load(std::memory_order_relaxed) == i) std::this_thread::yield();
    total += slots[i % kSize];
    taken.store(i + 1, std::memory_order_relaxed);
  }
}

int main() {
  std::thread producer(produce);
  std::thread consumer(consume);
  producer.join();
  consumer.join();
}

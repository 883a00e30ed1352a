// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Kept: each index is released by its owner and acquired by the other side: a slot is read after it was written, and
// written again after it was read.
#include <atomic>
#include <cassert>
#include <thread>

static constexpr unsigned kSize = 2;
static int slots[kSize];
static std::atomic<unsigned> written{0};
static std::atomic<unsigned> taken{0};

static void produce() {
  for (unsigned i = 0; i < 4; ++i) {
    while (i - taken.load(std::memory_order_acquire) == kSize) std::this_thread::yield();
    slots[i % kSize] = static_cast<int>(i);
    written.store(i + 1, std::memory_order_release);
  }
}

static void consume() {
  for (unsigned i = 0; i < 4; ++i) {
    while (written.load(std::memory_order_acquire) == i) std::this_thread::yield();
    assert(slots[i % kSize] == static_cast<int>(i));
    taken.store(i + 1, std::memory_order_release);
  }
}

int main() {
  std::thread producer(produce);
  std::thread consumer(consume);
  producer.join();
  consumer.join();
}

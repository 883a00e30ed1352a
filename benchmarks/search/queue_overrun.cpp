// SPDX-License-Identifier: Apache-2.0
// Queue that overruns. The producer of a ring never asks whether the ring is full.
// Shown by: the producer gets ahead by more than the whole ring while the consumer stands still; schedules that switch
// all the time keep the queue short and seldom show it.
#include <array>
#include <atomic>
#include <cassert>
#include <thread>

int main() {
  constexpr int size = 8;
  std::array<std::atomic<int>, size> slots{};
  std::atomic<int> written{0};
  std::thread consumer([&] {
    int read = 0;
    for (int attempt = 0; attempt < 10; ++attempt) {
      if (read < written.load()) {
        assert(slots[read % size].load() == read);
        ++read;
      }
    }
  });
  std::thread producer([&] {
    for (int value = 0; value < 12; ++value) {
      slots[value % size].store(value);
      written.store(value + 1);
    }
  });
  consumer.join();
  producer.join();
}

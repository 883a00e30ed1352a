// SPDX-License-Identifier: Apache-2.0
// Ring of one producer and one consumer whose index moves before the element is stored.
// Shown by: the consumer sees the new index and reads the slot before the producer has filled it.
#include <array>
#include <atomic>
#include <cassert>
#include <thread>

int main() {
  std::array<std::atomic<int>, 4> slots{};
  std::atomic<int> written{0};
  std::atomic<int> read{0};
  std::thread producer([&] {
    for (int value = 1; value <= 6; ++value) {
      const int at = written.load();
      if (at - read.load() < 4) {
        written.store(at + 1);
        slots[at % 4].store(value);
      }
    }
  });
  std::thread consumer([&] {
    for (int attempt = 0; attempt < 6; ++attempt) {
      const int at = read.load();
      if (at < written.load()) {
        assert(slots[at % 4].exchange(0) != 0);
        read.store(at + 1);
      }
    }
  });
  producer.join();
  consumer.join();
}

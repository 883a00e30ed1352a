// SPDX-License-Identifier: Apache-2.0
// Semaphore released before the work is stored. The consumer is let in as soon as the producer has released.
// Shown by: the consumer takes the last of three elements between the producer's release and its store.
#include <array>
#include <atomic>
#include <cassert>
#include <semaphore>
#include <thread>

int main() {
  std::counting_semaphore<4> filled(0);
  std::array<std::atomic<int>, 3> slots{};
  std::thread producer([&] {
    for (int i = 0; i < 3; ++i) {
      if (i == 2) {
        filled.release();
        slots[i].store(1);
      } else {
        slots[i].store(1);
        filled.release();
      }
    }
  });
  std::thread consumer([&] {
    for (std::atomic<int>& slot : slots) {
      filled.acquire();
      assert(slot.load() == 1);
    }
  });
  producer.join();
  consumer.join();
}

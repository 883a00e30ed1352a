// SPDX-License-Identifier: Apache-2.0
// Hash table that grows. The table is copied under the lock, but insertions pick the array before they lock.
// Shown by: an insertion has picked the old array when the table grows; its entry is lost.
#include <array>
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

using Slots = std::array<std::atomic<int>, 16>;

int main() {
  std::mutex mutex;
  Slots small{};
  Slots large{};
  std::atomic<Slots*> slots{&small};
  auto insert = [&](int key) {
    Slots* const target = slots.load();
    std::lock_guard lock(mutex);
    (*target)[key].store(key);
  };
  std::thread writer([&] {
    for (int key = 1; key <= 3; ++key) {
      insert(key);
    }
  });
  std::thread grower([&] {
    std::lock_guard lock(mutex);
    for (int key = 0; key < 4; ++key) {
      large[key].store(small[key].load());
    }
    slots.store(&large);
  });
  writer.join();
  grower.join();
  for (int key = 1; key <= 3; ++key) {
    assert((*slots.load())[key].load() == key);
  }
}

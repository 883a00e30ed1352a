// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: data-race
// SAYS: 4 bytes of thread_local counter of T1
// Broken: a thread_local is private only until its address is given away.
#include <atomic>
#include <thread>

static thread_local int counter = 0;

int main() {
  std::atomic<int*> given{nullptr};
  std::atomic<bool> finished{false};
  std::thread owner([&] {
    counter = 1;
    given.store(&counter, std::memory_order_release);
    counter += 1;
    while (!finished.load(std::memory_order_acquire)) std::this_thread::yield();
  });
  std::thread other([&] {
    int* pointer = nullptr;
    while ((pointer = given.load(std::memory_order_acquire)) == nullptr) std::this_thread::yield();
    *pointer += 1;
    finished.store(true, std::memory_order_release);
  });
  owner.join();
  other.join();
}

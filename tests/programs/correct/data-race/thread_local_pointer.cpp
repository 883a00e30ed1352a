// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Kept: the owner leaves its variable alone while the other task has it, and takes it back by acquire. Each task's own
// instance needs no order at all, even where two tasks get the same memory one after the other.
#include <atomic>
#include <cassert>
#include <thread>

static thread_local int counter = 0;

int main() {
  std::atomic<int*> given{nullptr};
  std::atomic<bool> finished{false};
  std::thread owner([&] {
    counter = 1;
    given.store(&counter, std::memory_order_release);
    while (!finished.load(std::memory_order_acquire)) std::this_thread::yield();
    counter += 1;
    assert(counter == 3);
  });
  std::thread other([&] {
    int* pointer = nullptr;
    while ((pointer = given.load(std::memory_order_acquire)) == nullptr) std::this_thread::yield();
    *pointer += 1;
    counter += 1;
    assert(counter == 1);
    finished.store(true, std::memory_order_release);
  });
  std::thread bystander([] { assert(++counter == 1); });
  owner.join();
  other.join();
  bystander.join();
}

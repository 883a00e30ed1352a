// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Release and acquire carry plain data from one task through a second to a third that never meets the first.
#include <atomic>
#include <cassert>
#include <thread>

int main() {
  int payload = 0;
  std::atomic<int> flag{0};
  std::atomic<int> relay{0};
  std::thread producer([&] {
    payload = 42;
    flag.store(1, std::memory_order_release);
  });
  std::thread middle([&] {
    if (flag.load(std::memory_order_acquire) == 1) relay.store(1, std::memory_order_release);
  });
  std::thread consumer([&] {
    if (relay.load(std::memory_order_acquire) == 1) assert(payload == 42);
  });
  producer.join();
  middle.join();
  consumer.join();
  assert(payload == 42);
}

// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Kept: the release clear synchronises with the acquire test_and_set that reads it.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic_flag taken;
static int count = 0;

static void work() {
  while (taken.test_and_set(std::memory_order_acquire)) std::this_thread::yield();
  count += 1;
  taken.clear(std::memory_order_release);
}

int main() {
  std::thread first(work);
  std::thread second(work);
  first.join();
  second.join();
  assert(count == 2);
}

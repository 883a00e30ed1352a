// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: data-race
// Broken: a spin lock that is given back by a relaxed clear keeps tasks apart in time but does not order them.
#include <atomic>
#include <thread>

static std::atomic_flag taken;
static int count = 0;

static void work() {
  while (taken.test_and_set(std::memory_order_acquire)) std::this_thread::yield();
  count += 1;
  taken.clear(std::memory_order_relaxed);
}

int main() {
  std::thread first(work);
  std::thread second(work);
  first.join();
  second.join();
}

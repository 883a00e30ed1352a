// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Repaired: looking and taking are one critical section.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

static std::atomic<int> seats{1};

static std::mutex office;

static void buy() {
  std::lock_guard one(office);
  if (seats.load() > 0) seats.fetch_sub(1);
}

int main() {
  std::thread first(buy);
  std::thread second(buy);
  first.join();
  second.join();
  assert(seats.load() >= 0);
}

// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: assertion
// Two buyers look for a free seat before either takes it.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> seats{1};

static void buy() {
  if (seats.load() > 0) seats.fetch_sub(1);
}

int main() {
  std::thread first(buy);
  std::thread second(buy);
  first.join();
  second.join();
  assert(seats.load() >= 0);
}

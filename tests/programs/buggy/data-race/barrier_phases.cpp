// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: data-race
// STANDARD: c++20
// Broken: the tasks tell the barrier that they arrived but do not wait for the others before they read their results.
#include <barrier>
#include <thread>

static std::barrier<> phase(2);
static int parts[2];

static void work(int self) {
  parts[self] = self + 1;
  (void)phase.arrive();
  volatile int neighbour = parts[1 - self];
  (void)neighbour;
}

int main() {
  std::thread first(work, 0);
  std::thread second(work, 1);
  first.join();
  second.join();
}

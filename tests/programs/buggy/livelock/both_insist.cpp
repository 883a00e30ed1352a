// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: livelock
// Two flags and no turn: when both raise theirs before looking, each yields to the other for ever.
#include <sched.h>

#include <atomic>
#include <thread>

static std::atomic<bool> wants[2];
static int entered = 0;

static void enter(int self) {
  wants[self].store(true);
  while (wants[1 - self].load()) sched_yield();
  ++entered;
  wants[self].store(false);
}

int main() {
  std::thread first(enter, 0);
  std::thread second(enter, 1);
  first.join();
  second.join();
  return entered == 2 ? 0 : 1;
}

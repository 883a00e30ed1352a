// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Peterson's algorithm with sequentially consistent atomics: right, and only because they are.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<bool> wants[2];
static std::atomic<int> turn{0};
static int count = 0;

static void run(int self) {
  const int other = 1 - self;
  for (int round = 0; round < 3; ++round) {
    wants[self].store(true);
    turn.store(other);
    while (wants[other].load() && turn.load() == other) std::this_thread::yield();
    ++count;
    wants[self].store(false);
  }
}

int main() {
  std::thread first(run, 0);
  std::thread second(run, 1);
  first.join();
  second.join();
  assert(count == 6);
}

// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Kept: what a task did before it arrived happens before what any task does after the wait. A second wait keeps the
// next round's writes after this round's reads.
#include <pthread.h>
#include <cassert>
#include <thread>

static pthread_barrier_t phase;
static int parts[2];

static void work(int self) {
  for (int round = 0; round < 2; ++round) {
    parts[self] = round;
    pthread_barrier_wait(&phase);
    assert(parts[1 - self] == round);
    pthread_barrier_wait(&phase);
  }
}

int main() {
  pthread_barrier_init(&phase, nullptr, 2);
  std::thread first(work, 0);
  std::thread second(work, 1);
  first.join();
  second.join();
  pthread_barrier_destroy(&phase);
}

// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: deadlock
// Three stages each wait for the next one to end unless it said it was done: all three may find the next one busy.
#include <pthread.h>

#include <atomic>

static pthread_t stages[3];
static std::atomic<bool> done[3];
static pthread_barrier_t all_created;

static void* stage(void* argument) {
  const long self = reinterpret_cast<long>(argument);
  const long next = (self + 1) % 3;
  pthread_barrier_wait(&all_created);
  if (!done[next].load()) {
    pthread_join(stages[next], nullptr);
  }
  done[self].store(true);
  return nullptr;
}

int main() {
  pthread_barrier_init(&all_created, nullptr, 4);
  for (long i = 0; i < 3; ++i) pthread_create(&stages[i], nullptr, stage, reinterpret_cast<void*>(i));
  pthread_barrier_wait(&all_created);
  pthread_exit(nullptr);
}

// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: data-race
// Broken: the semaphore is set up again with a count of one instead of being posted: the next wait is let through by
// that, and learns nothing of who posted before.
#include <semaphore.h>
#include <atomic>
#include <thread>

static sem_t turn;
static std::atomic<bool> free_again{false};
static int value = 0;

static void use(int next) {
  while (sem_wait(&turn) != 0) {
  }
  value = next;
  sem_post(&turn);
}

int main() {
  sem_init(&turn, 0, 1);
  std::thread first([] {
    use(1);
    free_again.store(true, std::memory_order_relaxed);
  });
  std::thread second([] {
    while (!free_again.load(std::memory_order_relaxed)) std::this_thread::yield();
    sem_init(&turn, 0, 1);
    use(2);
  });
  first.join();
  second.join();
}

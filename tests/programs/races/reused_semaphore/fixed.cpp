// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Kept: the semaphore is set up once; who waits learns of who posted.
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
    use(2);
  });
  first.join();
  second.join();
}

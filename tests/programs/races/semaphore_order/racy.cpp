// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: data-race
// Broken: the semaphore is posted before the data is written.
#include <semaphore.h>
#include <thread>

static sem_t available;
static int data = 0;

int main() {
  sem_init(&available, 0, 0);
  int seen = 0;
  std::thread producer([] {
    sem_post(&available);
    data = 42;
  });
  std::thread consumer([&] {
    while (sem_wait(&available) != 0) {
    }
    seen = data;
  });
  producer.join();
  consumer.join();
  sem_destroy(&available);
}

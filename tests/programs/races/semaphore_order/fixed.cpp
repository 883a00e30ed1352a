// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// STANDARD: c++20
// Kept: a post happens before the wait that it lets through, both for POSIX and for C++ semaphores.
#include <semaphore.h>
#include <cassert>
#include <semaphore>
#include <thread>

static sem_t available;
static std::binary_semaphore answered{0};
static int data = 0;
static int answer = 0;

int main() {
  sem_init(&available, 0, 0);
  std::thread producer([] {
    data = 42;
    sem_post(&available);
    answered.acquire();
    assert(answer == 43);
  });
  std::thread consumer([] {
    while (sem_wait(&available) != 0) {
    }
    answer = data + 1;
    answered.release();
  });
  producer.join();
  consumer.join();
  sem_destroy(&available);
}

// SPDX-License-Identifier: Apache-2.0
// A binary semaphore from 0 hands over; one from 1 does not. A latch waits for all of its threads, a promise for its
// value.
#include <semaphore.h>

#include <cstdio>
#include <future>
#include <latch>
#include <semaphore>
#include <thread>

std::binary_semaphore empty(0);
std::binary_semaphore full(1);
sem_t old;
std::latch both(2);
std::promise<void> promise;
int a = 0;  // [a0]
int b = 0;  // [b0]
int c = 0;  // [c0]
int d = 0;  // [d0]
int e = 0;  // [e0]

int main() {
  sem_init(&old, 0, 0);
  std::thread first([] {
    a = 1;  // [a1]
    empty.release();
    b = 1;  // [b1]
    full.release();
    c = 1;  // [c1]
    sem_post(&old);
    both.count_down();
  });
  std::thread second([] {
    d = 1;  // [d1]
    both.count_down();
    e = 1;  // [e1]
    promise.set_value();
  });
  std::thread reads([] {
    empty.acquire();
    std::printf("%d\n", a);  // a = a1
    full.acquire();
    std::printf("%d\n", b);  // b = π b0 b1
    sem_wait(&old);
    std::printf("%d\n", c);  // c = c1
    both.wait();
    std::printf("%d\n", d);  // d = d1
  });
  std::future<void> future = promise.get_future();
  future.wait();
  std::printf("%d\n", e);  // e = e1
  first.join();
  second.join();
  reads.join();
}

// SPDX-License-Identifier: Apache-2.0
// Three threads and a barrier for two: nobody knows who waited for whom. With pthread's barrier for three it is clear.
#include <pthread.h>

#include <barrier>
#include <cstdio>
#include <thread>

std::barrier<> two(2);
pthread_barrier_t three;
int n = 0;  // [start]
int m = 0;

int main() {
  pthread_barrier_init(&three, nullptr, 3);
  std::thread a([] {
    n = 1;  // [one]
    m = 1;  // [m1]
    two.arrive_and_wait();
    pthread_barrier_wait(&three);
  });
  std::thread b([] {
    two.arrive_and_wait();
    std::printf("%d\n", n);  // n = π start one
    pthread_barrier_wait(&three);
    std::printf("%d\n", m);  // m = m1
  });
  std::thread c([] {
    two.arrive_and_drop();
    pthread_barrier_wait(&three);
  });
  a.join();
  b.join();
  c.join();
}

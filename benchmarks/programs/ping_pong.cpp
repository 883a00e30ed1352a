// SPDX-License-Identifier: Apache-2.0
// fiber_vs_baton: two tasks alternate by semaphores, so that every schedule switches 40,000 times.
#include <semaphore.h>

#include <thread>

static sem_t ping;
static sem_t pong;

int main() {
  constexpr int kRounds = 20000;
  sem_init(&ping, 0, 0);
  sem_init(&pong, 0, 0);
  std::thread first([] {
    for (int i = 0; i < kRounds; ++i) {
      sem_post(&ping);
      sem_wait(&pong);
    }
  });
  std::thread second([] {
    for (int i = 0; i < kRounds; ++i) {
      sem_wait(&ping);
      sem_post(&pong);
    }
  });
  first.join();
  second.join();
}

// SPDX-License-Identifier: Apache-2.0
// A signal for another task strikes at the next scheduling point of that task. Outside Ravel it may strike at once, and
// the first assertion may fail.
#include <semaphore.h>
#include <signal.h>

#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> handled = 0;
sem_t go_on;

int main() {
  signal(SIGUSR1, [](int) { handled = 1; });
  sem_init(&go_on, 0, 0);
  std::thread worker([] {
    while (sem_wait(&go_on) != 0) {
    }
  });
  pthread_kill(worker.native_handle(), SIGUSR1);
  assert(handled == 0);
  sem_post(&go_on);
  worker.join();
  assert(handled == 1);
}

// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: lock-misuse
// One path has unlocked already when the common end unlocks again.
#include <pthread.h>

#include <atomic>
#include <thread>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static std::atomic<bool> stopping{false};

static void work() {
  pthread_mutex_lock(&mutex);
  if (stopping.load()) pthread_mutex_unlock(&mutex);
  pthread_mutex_unlock(&mutex);
}

int main() {
  std::thread worker(work);
  stopping.store(true);
  worker.join();
}

// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: lock-misuse
// The owner of the object destroys its mutex as soon as the work is done; the worker may still hold it.
#include <pthread.h>

#include <atomic>
#include <thread>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static std::atomic<bool> finished{false};

int main() {
  std::thread worker([] {
    pthread_mutex_lock(&mutex);
    finished.store(true);
    pthread_mutex_unlock(&mutex);
  });
  while (!finished.load()) std::this_thread::yield();
  pthread_mutex_destroy(&mutex);
  worker.join();
}

// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: leak-of-lock
// The cancelled path returns without unlocking; nobody needs the lock any more, so nothing hangs.
#include <pthread.h>

#include <atomic>
#include <thread>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static std::atomic<bool> cancelled{false};
static int saved = 0;

static void save() {
  pthread_mutex_lock(&mutex);
  if (cancelled.load()) return;
  ++saved;
  pthread_mutex_unlock(&mutex);
}

int main() {
  std::thread saver(save);
  cancelled.store(true);
  saver.join();
}

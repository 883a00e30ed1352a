// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: lock-misuse
// The helper "releases" a lock that another task holds.
#include <pthread.h>

#include <atomic>
#include <thread>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static std::atomic<bool> busy{false};

int main() {
  std::thread owner([] {
    pthread_mutex_lock(&mutex);
    busy.store(true);
    busy.store(false);
    pthread_mutex_unlock(&mutex);
  });
  std::thread helper([] {
    if (busy.load()) pthread_mutex_unlock(&mutex);
  });
  owner.join();
  helper.join();
}

// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: deadlock
// On a miss the reader asks for the write lock without giving up its read lock; it never misses when the filler is
// first.
#include <pthread.h>

#include <thread>

static pthread_rwlock_t cache_lock = PTHREAD_RWLOCK_INITIALIZER;
static int cached = 0;

static int look_up() {
  pthread_rwlock_rdlock(&cache_lock);
  if (cached == 0) {
    pthread_rwlock_wrlock(&cache_lock);
    cached = 42;
    pthread_rwlock_unlock(&cache_lock);
  }
  const int value = cached;
  pthread_rwlock_unlock(&cache_lock);
  return value;
}

int main() {
  std::thread filler([] {
    pthread_rwlock_wrlock(&cache_lock);
    cached = 42;
    pthread_rwlock_unlock(&cache_lock);
  });
  std::thread reader([] { look_up(); });
  filler.join();
  reader.join();
}

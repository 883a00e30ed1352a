// SPDX-License-Identifier: Apache-2.0
// The same with pthreads: creation with an argument, a mutex, a condition variable's wait, which lets go of the lock.
#include <pthread.h>

#include <cstdio>

struct Shared {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
  int n = 0;  // [start]
};

void* writes(void* argument) {
  Shared* shared = static_cast<Shared*>(argument);
  pthread_mutex_lock(&shared->mutex);
  shared->n = 1;  // [hidden]
  shared->n = 2;  // [shown]
  pthread_cond_signal(&shared->changed);
  pthread_mutex_unlock(&shared->mutex);
  return nullptr;
}

void* reads(void* argument) {
  Shared* shared = static_cast<Shared*>(argument);
  pthread_mutex_lock(&shared->mutex);
  while (shared->n == 0) {  // Shared::n = π start shown
    pthread_cond_wait(&shared->changed, &shared->mutex);
  }
  std::printf("%d\n", shared->n);  // Shared::n = shown
  pthread_mutex_unlock(&shared->mutex);
  return nullptr;
}

int main() {
  Shared shared;
  pthread_t threads[2];
  pthread_create(&threads[0], nullptr, writes, &shared);
  pthread_create(&threads[1], nullptr, reads, &shared);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], nullptr);
  std::printf("%d\n", shared.n);  // Shared::n = shown
}

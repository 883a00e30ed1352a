// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Cancellation at a condition wait: the cleanup handler runs with the lock held again, and gives it back. Cancellation
// at a sleep waits until the task allows it.
#include <pthread.h>
#include <unistd.h>

#include <cassert>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static int cleaned = 0;

static void release(void*) {
  ++cleaned;
  pthread_mutex_unlock(&mutex);
}

static void* waiter(void*) {
  pthread_mutex_lock(&mutex);
  pthread_cleanup_push(release, nullptr);
  for (;;) pthread_cond_wait(&never, &mutex);
  pthread_cleanup_pop(1);
  return nullptr;
}

static void* busy(void*) {
  int old = 0;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
  pthread_mutex_lock(&mutex);
  ++cleaned;
  pthread_mutex_unlock(&mutex);
  pthread_setcancelstate(old, nullptr);
  for (;;) usleep(100);
  return nullptr;
}

int main() {
  pthread_t threads[2];
  pthread_create(&threads[0], nullptr, waiter, nullptr);
  pthread_create(&threads[1], nullptr, busy, nullptr);
  pthread_cancel(threads[0]);
  pthread_cancel(threads[1]);
  void* result = nullptr;
  for (pthread_t thread : threads) {
    pthread_join(thread, &result);
    assert(result == PTHREAD_CANCELED);
  }
  assert(cleaned == 2);
}

// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Plain C: a read-write lock, a spin lock, an error-checking mutex and the return codes they promise.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static pthread_mutex_t checked;
static int value = 0;
static int reads = 0;

static void* writer(void* unused) {
  (void)unused;
  for (int i = 0; i < 3; ++i) {
    pthread_rwlock_wrlock(&rwlock);
    ++value;
    ++value;
    pthread_rwlock_unlock(&rwlock);
  }
  return NULL;
}

static void* reader(void* unused) {
  (void)unused;
  for (int i = 0; i < 3; ++i) {
    pthread_rwlock_rdlock(&rwlock);
    assert(value % 2 == 0);
    pthread_rwlock_unlock(&rwlock);
    pthread_spin_lock(&spin);
    ++reads;
    pthread_spin_unlock(&spin);
  }
  assert(pthread_mutex_lock(&checked) == 0);
  assert(pthread_mutex_lock(&checked) == EDEADLK);
  assert(pthread_mutex_unlock(&checked) == 0);
  return NULL;
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&checked, &attributes);
  pthread_mutexattr_destroy(&attributes);
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, writer, NULL);
  pthread_create(&threads[1], NULL, reader, NULL);
  pthread_create(&threads[2], NULL, reader, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  assert(value == 6 && reads == 6);
  pthread_mutex_destroy(&checked);
  pthread_spin_destroy(&spin);
  return 0;
}

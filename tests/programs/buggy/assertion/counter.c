// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: assertion
// Plain C: the read and the write of the total are in separate lock sections, so a deposit gets lost.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int total = 0;

static int get_total(void) {
  pthread_mutex_lock(&mutex);
  int value = total;
  pthread_mutex_unlock(&mutex);
  return value;
}

static void set_total(int value) {
  pthread_mutex_lock(&mutex);
  total = value;
  pthread_mutex_unlock(&mutex);
}

static void* deposit(void* unused) {
  (void)unused;
  set_total(get_total() + 10);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, deposit, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  assert(total == 20);
  return 0;
}

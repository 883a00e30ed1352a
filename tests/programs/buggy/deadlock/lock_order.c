// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: deadlock
// The same mistake in plain C: two queues moved into each other.
#include <pthread.h>
#include <stddef.h>

struct queue {
  pthread_mutex_t mutex;
  int length;
};

static struct queue left = {PTHREAD_MUTEX_INITIALIZER, 3};
static struct queue right = {PTHREAD_MUTEX_INITIALIZER, 5};

static void move_all(struct queue* from, struct queue* to) {
  pthread_mutex_lock(&from->mutex);
  pthread_mutex_lock(&to->mutex);
  to->length += from->length;
  from->length = 0;
  pthread_mutex_unlock(&to->mutex);
  pthread_mutex_unlock(&from->mutex);
}

static void* worker(void* unused) {
  (void)unused;
  move_all(&left, &right);
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  move_all(&right, &left);
  pthread_join(thread, NULL);
  return left.length + right.length == 8 ? 0 : 1;
}

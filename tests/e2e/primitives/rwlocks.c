// SPDX-License-Identifier: Apache-2.0
// Reader-writer locks of every kind.
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>

#include "expect.h"

static pthread_rwlock_t* subject;
static int value;
static sem_t step;

static void elsewhere(void* (*body)(void*)) {
  pthread_t thread;
  EXPECT_EQ(pthread_create(&thread, NULL, body, NULL), 0);
  EXPECT_EQ(pthread_join(thread, NULL), 0);
}

static void* readers_only(void* argument) {
  struct timespec soon = after_milliseconds(CLOCK_REALTIME, 2);
  EXPECT_EQ(pthread_rwlock_tryrdlock(subject), 0);
  EXPECT_EQ(pthread_rwlock_trywrlock(subject), EBUSY);
  EXPECT_EQ(pthread_rwlock_unlock(subject), 0);
  EXPECT_EQ(pthread_rwlock_timedwrlock(subject, &soon), ETIMEDOUT);
  soon = after_milliseconds(CLOCK_MONOTONIC, 2);
  EXPECT_EQ(pthread_rwlock_clockwrlock(subject, CLOCK_MONOTONIC, &soon), ETIMEDOUT);
  EXPECT_EQ(pthread_rwlock_rdlock(subject), 0);
  EXPECT_EQ(pthread_rwlock_unlock(subject), 0);
  return argument;
}

static void* nobody(void* argument) {
  struct timespec soon = after_milliseconds(CLOCK_REALTIME, 2);
  struct timespec bad = {1, 1000000000};
  EXPECT_EQ(pthread_rwlock_tryrdlock(subject), EBUSY);
  EXPECT_EQ(pthread_rwlock_trywrlock(subject), EBUSY);
  EXPECT_EQ(pthread_rwlock_timedrdlock(subject, &soon), ETIMEDOUT);
  EXPECT_EQ(pthread_rwlock_timedwrlock(subject, &soon), ETIMEDOUT);
  EXPECT_EQ(pthread_rwlock_timedrdlock(subject, &bad), EINVAL);
  EXPECT_EQ(pthread_rwlock_timedwrlock(subject, &bad), EINVAL);
  EXPECT_EQ(pthread_rwlock_clockrdlock(subject, CLOCK_PROCESS_CPUTIME_ID, &soon), EINVAL);
  return argument;
}

static void* read_often(void* argument) {
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(pthread_rwlock_rdlock(subject), 0);
    EXPECT_EQ(value % 2, 0);
    EXPECT_EQ(pthread_rwlock_unlock(subject), 0);
  }
  return argument;
}

static void* write_often(void* argument) {
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(pthread_rwlock_wrlock(subject), 0);
    ++value;
    sched_yield();
    ++value;
    EXPECT_EQ(pthread_rwlock_unlock(subject), 0);
  }
  return argument;
}

static void one_kind(int kind) {
  pthread_rwlockattr_t attributes;
  pthread_rwlock_t lock;
  EXPECT_EQ(pthread_rwlockattr_init(&attributes), 0);
  EXPECT_EQ(pthread_rwlockattr_setkind_np(&attributes, kind), 0);
  EXPECT_EQ(pthread_rwlock_init(&lock, &attributes), 0);
  subject = &lock;

  EXPECT_EQ(pthread_rwlock_rdlock(&lock), 0);
  elsewhere(readers_only);
  EXPECT_EQ(pthread_rwlock_tryrdlock(&lock), 0);  // twice by one thread
  EXPECT_EQ(pthread_rwlock_unlock(&lock), 0);
  EXPECT_EQ(pthread_rwlock_trywrlock(&lock), EBUSY);
  EXPECT_EQ(pthread_rwlock_unlock(&lock), 0);

  EXPECT_EQ(pthread_rwlock_wrlock(&lock), 0);
  elsewhere(nobody);
  EXPECT_EQ(pthread_rwlock_rdlock(&lock), EDEADLK);
  EXPECT_EQ(pthread_rwlock_wrlock(&lock), EDEADLK);
  EXPECT_EQ(pthread_rwlock_tryrdlock(&lock), EBUSY);
  EXPECT_EQ(pthread_rwlock_unlock(&lock), 0);

  struct timespec past = {1, 0};
  EXPECT_EQ(pthread_rwlock_timedwrlock(&lock, &past), 0);
  EXPECT_EQ(pthread_rwlock_unlock(&lock), 0);
  EXPECT_EQ(pthread_rwlock_timedrdlock(&lock, &past), 0);
  EXPECT_EQ(pthread_rwlock_unlock(&lock), 0);

  pthread_t threads[4];
  value = 0;
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(pthread_create(&threads[i], NULL, i % 2 == 0 ? read_often : write_often, NULL), 0);
  }
  for (int i = 0; i < 4; ++i) EXPECT_EQ(pthread_join(threads[i], NULL), 0);
  EXPECT_EQ(value, 12);
  EXPECT_EQ(pthread_rwlock_destroy(&lock), 0);
  EXPECT_EQ(pthread_rwlockattr_destroy(&attributes), 0);
}

static pthread_rwlock_t preferring = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;

static void* want_to_write(void* argument) {
  sem_post(&step);
  EXPECT_EQ(pthread_rwlock_wrlock(&preferring), 0);
  EXPECT_EQ(pthread_rwlock_unlock(&preferring), 0);
  return argument;
}

// A reader comes after a writer that waits: it must let the writer go first.
static void writer_first(void) {
  pthread_t thread;
  sem_init(&step, 0, 0);
  EXPECT_EQ(pthread_rwlock_rdlock(&preferring), 0);
  EXPECT_EQ(pthread_create(&thread, NULL, want_to_write, NULL), 0);
  sem_wait(&step);
  int entered = 0;
  while ((entered = pthread_rwlock_tryrdlock(&preferring)) == 0) {
    EXPECT_EQ(pthread_rwlock_unlock(&preferring), 0);
    sched_yield();
  }
  EXPECT_EQ(entered, EBUSY);
  EXPECT_EQ(pthread_rwlock_unlock(&preferring), 0);
  EXPECT_EQ(pthread_join(thread, NULL), 0);
}

int main(void) {
  one_kind(PTHREAD_RWLOCK_PREFER_READER_NP);
  one_kind(PTHREAD_RWLOCK_PREFER_WRITER_NP);
  one_kind(PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
  writer_first();
  return 0;
}

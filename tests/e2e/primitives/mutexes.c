// SPDX-License-Identifier: Apache-2.0
// Mutexes of every type: result codes of every function, from the owner and from another thread.
#define _GNU_SOURCE
#include <pthread.h>

#include "expect.h"

static pthread_mutex_t* subject;
static int counter;

static void make(pthread_mutex_t* mutex, int type, int protocol) {
  pthread_mutexattr_t attributes;
  EXPECT_EQ(pthread_mutexattr_init(&attributes), 0);
  EXPECT_EQ(pthread_mutexattr_settype(&attributes, type), 0);
  EXPECT_EQ(pthread_mutexattr_setprotocol(&attributes, protocol), 0);
  EXPECT_EQ(pthread_mutex_init(mutex, &attributes), 0);
  EXPECT_EQ(pthread_mutexattr_destroy(&attributes), 0);
}

// Runs `body` in another thread while this one holds the mutex (or does not).
static void elsewhere(void* (*body)(void*)) {
  pthread_t thread;
  EXPECT_EQ(pthread_create(&thread, NULL, body, NULL), 0);
  EXPECT_EQ(pthread_join(thread, NULL), 0);
}

static void* find_it_busy(void* argument) {
  struct timespec soon = after_milliseconds(CLOCK_REALTIME, 2);
  struct timespec soon_monotonic = after_milliseconds(CLOCK_MONOTONIC, 2);
  struct timespec past = {1, 0};
  struct timespec bad = {1, 1000000000};
  EXPECT_EQ(pthread_mutex_trylock(subject), EBUSY);
  EXPECT_EQ(pthread_mutex_timedlock(subject, &soon), ETIMEDOUT);
  EXPECT_EQ(pthread_mutex_timedlock(subject, &past), ETIMEDOUT);
  EXPECT_EQ(pthread_mutex_timedlock(subject, &bad), EINVAL);
  EXPECT_EQ(pthread_mutex_clocklock(subject, CLOCK_MONOTONIC, &soon_monotonic), ETIMEDOUT);
  EXPECT_EQ(pthread_mutex_clocklock(subject, CLOCK_PROCESS_CPUTIME_ID, &soon_monotonic), EINVAL);
  return argument;
}

static void* refuse_to_unlock(void* argument) {
  EXPECT_EQ(pthread_mutex_unlock(subject), EPERM);
  return argument;
}

static void* find_it_free(void* argument) {
  struct timespec past = {1, 0};
  struct timespec bad = {1, -1};
  EXPECT_EQ(pthread_mutex_trylock(subject), 0);
  EXPECT_EQ(pthread_mutex_unlock(subject), 0);
  EXPECT_EQ(pthread_mutex_timedlock(subject, &past), 0);  // a free mutex needs no time
  EXPECT_EQ(pthread_mutex_unlock(subject), 0);
  EXPECT_EQ(pthread_mutex_timedlock(subject, &bad), 0);
  EXPECT_EQ(pthread_mutex_unlock(subject), 0);
  return argument;
}

static void* count(void* argument) {
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(pthread_mutex_lock(subject), 0);
    ++counter;
    EXPECT_EQ(pthread_mutex_unlock(subject), 0);
  }
  return argument;
}

static void counting(void) {
  pthread_t threads[3];
  counter = 0;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(pthread_create(&threads[i], NULL, count, NULL), 0);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(pthread_join(threads[i], NULL), 0);
  EXPECT_EQ(counter, 15);
}

static void plain(int type, int protocol) {
  pthread_mutex_t mutex;
  make(&mutex, type, protocol);
  subject = &mutex;
  EXPECT_EQ(pthread_mutex_lock(&mutex), 0);
  EXPECT_EQ(pthread_mutex_trylock(&mutex), EBUSY);
  elsewhere(find_it_busy);
  EXPECT_EQ(pthread_mutex_unlock(&mutex), 0);
  elsewhere(find_it_free);
  counting();
  EXPECT_EQ(pthread_mutex_destroy(&mutex), 0);
}

static void owner_waits_in_vain(void) {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  struct timespec soon = after_milliseconds(CLOCK_REALTIME, 2);
  EXPECT_EQ(pthread_mutex_lock(&mutex), 0);
  EXPECT_EQ(pthread_mutex_timedlock(&mutex, &soon), ETIMEDOUT);
  EXPECT_EQ(pthread_mutex_unlock(&mutex), 0);
}

static void recursive(void) {
  pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
  struct timespec soon = after_milliseconds(CLOCK_REALTIME, 2);
  subject = &mutex;
  EXPECT_EQ(pthread_mutex_unlock(&mutex), EPERM);
  EXPECT_EQ(pthread_mutex_lock(&mutex), 0);
  EXPECT_EQ(pthread_mutex_lock(&mutex), 0);
  EXPECT_EQ(pthread_mutex_trylock(&mutex), 0);
  EXPECT_EQ(pthread_mutex_timedlock(&mutex, &soon), 0);
  for (int depth = 4; depth > 0; --depth) {
    elsewhere(find_it_busy);
    elsewhere(refuse_to_unlock);
    if (depth == 1) EXPECT_EQ(pthread_mutex_destroy(&mutex), EBUSY);
    EXPECT_EQ(pthread_mutex_unlock(&mutex), 0);
  }
  elsewhere(find_it_free);
  EXPECT_EQ(pthread_mutex_unlock(&mutex), EPERM);
  counting();
  EXPECT_EQ(pthread_mutex_destroy(&mutex), 0);
}

static void errorcheck(void) {
  pthread_mutex_t mutex = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
  struct timespec soon = after_milliseconds(CLOCK_REALTIME, 2);
  subject = &mutex;
  EXPECT_EQ(pthread_mutex_unlock(&mutex), EPERM);
  EXPECT_EQ(pthread_mutex_lock(&mutex), 0);
  EXPECT_EQ(pthread_mutex_lock(&mutex), EDEADLK);
  EXPECT_EQ(pthread_mutex_timedlock(&mutex, &soon), EDEADLK);
  EXPECT_EQ(pthread_mutex_trylock(&mutex), EBUSY);
  EXPECT_EQ(pthread_mutex_destroy(&mutex), EBUSY);
  elsewhere(find_it_busy);
  elsewhere(refuse_to_unlock);
  EXPECT_EQ(pthread_mutex_unlock(&mutex), 0);
  EXPECT_EQ(pthread_mutex_unlock(&mutex), EPERM);
  elsewhere(find_it_free);
  counting();
  EXPECT_EQ(pthread_mutex_destroy(&mutex), 0);
}

static void no_ceiling(void) {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  int ceiling = 0;
  EXPECT_EQ(pthread_mutex_getprioceiling(&mutex, &ceiling), EINVAL);
  EXPECT_EQ(pthread_mutex_setprioceiling(&mutex, 1, &ceiling), EINVAL);
  EXPECT_EQ(pthread_mutex_consistent(&mutex), EINVAL);
}

int main(void) {
  plain(PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_NONE);
  plain(PTHREAD_MUTEX_ADAPTIVE_NP, PTHREAD_PRIO_NONE);
  owner_waits_in_vain();
  recursive();
  errorcheck();
  no_ceiling();
  return 0;
}

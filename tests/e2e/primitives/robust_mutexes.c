// SPDX-License-Identifier: Apache-2.0
// Robust mutexes: what the next owner is told, making it consistent, giving it up.
#define _GNU_SOURCE
#include <pthread.h>

#include "expect.h"

static pthread_mutex_t mutex;

static void make(int type) {
  pthread_mutexattr_t attributes;
  EXPECT_EQ(pthread_mutexattr_init(&attributes), 0);
  EXPECT_EQ(pthread_mutexattr_settype(&attributes, type), 0);
  EXPECT_EQ(pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST), 0);
  EXPECT_EQ(pthread_mutex_init(&mutex, &attributes), 0);
  EXPECT_EQ(pthread_mutexattr_destroy(&attributes), 0);
}

static void* die_with_it(void* expected) {
  EXPECT_EQ(pthread_mutex_lock(&mutex), *(int*)expected);
  return NULL;
}

static void* try_it(void* expected) {
  EXPECT_EQ(pthread_mutex_trylock(&mutex), *(int*)expected);
  return NULL;
}

static void* unlock_it(void* expected) {
  EXPECT_EQ(pthread_mutex_unlock(&mutex), *(int*)expected);
  return NULL;
}

static void in_thread(void* (*body)(void*), int expected) {
  pthread_t thread;
  EXPECT_EQ(pthread_create(&thread, NULL, body, &expected), 0);
  EXPECT_EQ(pthread_join(thread, NULL), 0);
}

static void recovered(int type) {
  make(type);
  in_thread(die_with_it, 0);
  EXPECT_EQ(pthread_mutex_lock(&mutex), EOWNERDEAD);
  in_thread(try_it, EBUSY);
  in_thread(unlock_it, EPERM);
  EXPECT_EQ(pthread_mutex_consistent(&mutex), 0);
  EXPECT_EQ(pthread_mutex_consistent(&mutex), EINVAL);
  EXPECT_EQ(pthread_mutex_unlock(&mutex), 0);
  EXPECT_EQ(pthread_mutex_unlock(&mutex), EPERM);
  EXPECT_EQ(pthread_mutex_lock(&mutex), 0);
  EXPECT_EQ(pthread_mutex_unlock(&mutex), 0);
  EXPECT_EQ(pthread_mutex_destroy(&mutex), 0);
}

static void died_twice(void) {
  make(PTHREAD_MUTEX_NORMAL);
  in_thread(die_with_it, 0);
  in_thread(die_with_it, EOWNERDEAD);
  in_thread(try_it, EOWNERDEAD);
  EXPECT_EQ(pthread_mutex_lock(&mutex), EOWNERDEAD);
  EXPECT_EQ(pthread_mutex_consistent(&mutex), 0);
  EXPECT_EQ(pthread_mutex_unlock(&mutex), 0);
  EXPECT_EQ(pthread_mutex_destroy(&mutex), 0);
}

static void given_up(void) {
  make(PTHREAD_MUTEX_NORMAL);
  in_thread(die_with_it, 0);
  EXPECT_EQ(pthread_mutex_lock(&mutex), EOWNERDEAD);
  EXPECT_EQ(pthread_mutex_unlock(&mutex), 0);  // without making it consistent
  EXPECT_EQ(pthread_mutex_lock(&mutex), ENOTRECOVERABLE);
  in_thread(try_it, ENOTRECOVERABLE);
  EXPECT_EQ(pthread_mutex_destroy(&mutex), 0);
}

int main(void) {
  recovered(PTHREAD_MUTEX_NORMAL);
  recovered(PTHREAD_MUTEX_RECURSIVE);
  recovered(PTHREAD_MUTEX_ERRORCHECK);
  died_twice();
  given_up();
  return 0;
}

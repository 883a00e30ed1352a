// SPDX-License-Identifier: Apache-2.0
// Condition variables: waits, timed waits on both clocks, notify one and all, error codes.
#define _GNU_SOURCE
#include <pthread.h>

#include "expect.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int tokens, taken, waiting;

static void* take_token(void* argument) {
  EXPECT_EQ(pthread_mutex_lock(&mutex), 0);
  ++waiting;
  while (tokens == 0) EXPECT_EQ(pthread_cond_wait(&condition, &mutex), 0);
  EXPECT_EQ(pthread_mutex_trylock(&mutex), EBUSY);  // the wait has given it back to us
  --tokens;
  ++taken;
  EXPECT_EQ(pthread_mutex_unlock(&mutex), 0);
  return argument;
}

static void one_at_a_time(int broadcast) {
  pthread_t threads[3];
  tokens = taken = waiting = 0;
  for (int i = 0; i < 3; ++i) EXPECT_EQ(pthread_create(&threads[i], NULL, take_token, NULL), 0);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(pthread_mutex_lock(&mutex), 0);
    ++tokens;
    if (broadcast) {
      EXPECT_EQ(pthread_cond_broadcast(&condition), 0);
    } else {
      EXPECT_EQ(pthread_cond_signal(&condition), 0);
    }
    EXPECT_EQ(pthread_mutex_unlock(&mutex), 0);
  }
  for (int i = 0; i < 3; ++i) EXPECT_EQ(pthread_join(threads[i], NULL), 0);
  EXPECT_EQ(taken, 3);
}

// Spurious wake-ups are allowed (0); anything else ends the loop.
static int wait_for_timeout(pthread_cond_t* which, clockid_t clock, int by_clock) {
  struct timespec soon = after_milliseconds(clock, 3);
  int result = 0;
  while (result == 0) {
    result =
        by_clock ? pthread_cond_clockwait(which, &mutex, clock, &soon) : pthread_cond_timedwait(which, &mutex, &soon);
  }
  struct timespec now;
  clock_gettime(clock, &now);
  EXPECT(now.tv_sec > soon.tv_sec || (now.tv_sec == soon.tv_sec && now.tv_nsec >= soon.tv_nsec));
  return result;
}

static void timeouts(void) {
  pthread_cond_t monotonic;
  pthread_condattr_t attributes;
  EXPECT_EQ(pthread_condattr_init(&attributes), 0);
  EXPECT_EQ(pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC), 0);
  EXPECT_EQ(pthread_cond_init(&monotonic, &attributes), 0);
  EXPECT_EQ(pthread_mutex_lock(&mutex), 0);
  EXPECT_EQ(wait_for_timeout(&condition, CLOCK_REALTIME, 0), ETIMEDOUT);
  EXPECT_EQ(wait_for_timeout(&monotonic, CLOCK_MONOTONIC, 0), ETIMEDOUT);
  EXPECT_EQ(wait_for_timeout(&condition, CLOCK_MONOTONIC, 1), ETIMEDOUT);
  EXPECT_EQ(wait_for_timeout(&condition, CLOCK_REALTIME, 1), ETIMEDOUT);
  struct timespec bad = {1, 1000000000};
  EXPECT_EQ(pthread_cond_timedwait(&condition, &mutex, &bad), EINVAL);
  struct timespec past = {1, 0};
  int result = 0;
  while (result == 0) result = pthread_cond_timedwait(&condition, &mutex, &past);
  EXPECT_EQ(result, ETIMEDOUT);
  EXPECT_EQ(pthread_cond_clockwait(&condition, &mutex, CLOCK_PROCESS_CPUTIME_ID, &past), EINVAL);
  EXPECT_EQ(pthread_mutex_unlock(&mutex), 0);
  EXPECT_EQ(pthread_cond_destroy(&monotonic), 0);
  EXPECT_EQ(pthread_condattr_destroy(&attributes), 0);
}

static void* notify_in_time(void* argument) {
  EXPECT_EQ(pthread_mutex_lock(&mutex), 0);
  tokens = 1;
  EXPECT_EQ(pthread_cond_signal(&condition), 0);
  EXPECT_EQ(pthread_mutex_unlock(&mutex), 0);
  return argument;
}

// Whatever comes first, timeout or notification: the mutex is held and the predicate decides.
static void timeout_or_notification(void) {
  pthread_t thread;
  tokens = 0;
  EXPECT_EQ(pthread_create(&thread, NULL, notify_in_time, NULL), 0);
  EXPECT_EQ(pthread_mutex_lock(&mutex), 0);
  int result = 0;
  while (tokens == 0 && result == 0) {
    struct timespec late = after_milliseconds(CLOCK_REALTIME, 1);
    result = pthread_cond_timedwait(&condition, &mutex, &late);
  }
  EXPECT(tokens == 1 || result == ETIMEDOUT);
  EXPECT_EQ(pthread_mutex_unlock(&mutex), 0);
  EXPECT_EQ(pthread_join(thread, NULL), 0);
}

static void not_the_owner(void) {
  pthread_mutex_t checked = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
  EXPECT_EQ(pthread_cond_wait(&condition, &checked), EPERM);
}

static void nobody_listens(void) {
  pthread_cond_t unused = PTHREAD_COND_INITIALIZER;
  EXPECT_EQ(pthread_cond_signal(&unused), 0);
  EXPECT_EQ(pthread_cond_broadcast(&unused), 0);
  EXPECT_EQ(pthread_cond_destroy(&unused), 0);
}

int main(void) {
  one_at_a_time(0);
  one_at_a_time(1);
  timeouts();
  timeout_or_notification();
  not_the_owner();
  nobody_listens();
  return 0;
}

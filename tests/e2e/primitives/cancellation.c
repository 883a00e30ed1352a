// SPDX-License-Identifier: Apache-2.0
// Cancellation at every kind of cancellation point, cleanup handlers, states and types.
#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <sys/select.h>

#include "expect.h"

static sem_t started, never;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int pipe_ends[2];
static char order[8];

static void note(void* text) { strcat(order, (const char*)text); }
static void unlock(void* locked) { EXPECT_EQ(pthread_mutex_unlock((pthread_mutex_t*)locked), 0); }

static void* in_condition_wait(void* argument) {
  EXPECT_EQ(pthread_mutex_lock(&mutex), 0);
  pthread_cleanup_push(unlock, &mutex);
  sem_post(&started);
  for (;;) pthread_cond_wait(&condition, &mutex);
  pthread_cleanup_pop(1);
  return argument;
}

static void* in_timed_wait(void* argument) {
  EXPECT_EQ(pthread_mutex_lock(&mutex), 0);
  pthread_cleanup_push(unlock, &mutex);
  sem_post(&started);
  for (;;) {
    struct timespec late = after_milliseconds(CLOCK_REALTIME, 100000);
    pthread_cond_timedwait(&condition, &mutex, &late);
  }
  pthread_cleanup_pop(1);
  return argument;
}

static void* in_semaphore_wait(void* argument) {
  sem_post(&started);
  for (;;) sem_wait(&never);
  return argument;
}

static void* in_sleep(void* argument) {
  sem_post(&started);
  for (;;) sleep(1000);
  return argument;
}

static void* in_nanosleep(void* argument) {
  struct timespec hour = {3600, 0};
  sem_post(&started);
  for (;;) nanosleep(&hour, NULL);
  return argument;
}

static void* in_join(void* other) {
  sem_post(&started);
  pthread_join(*(pthread_t*)other, NULL);
  return NULL;
}

static void* in_read(void* argument) {
  char byte;
  sem_post(&started);
  for (;;) EXPECT_EQ(read(pipe_ends[0], &byte, 1), 1);
  return argument;
}

static void* in_poll(void* argument) {
  struct pollfd waited = {pipe_ends[0], POLLIN, 0};
  sem_post(&started);
  for (;;) poll(&waited, 1, -1);
  return argument;
}

static void* in_select(void* argument) {
  sem_post(&started);
  for (;;) select(0, NULL, NULL, NULL, NULL);
  return argument;
}

static void* in_loop(void* argument) {
  sem_post(&started);
  for (;;) {
    pthread_testcancel();
    sched_yield();
  }
  return argument;
}

static void cancel_and_check(void* (*body)(void*), void* argument) {
  pthread_t thread;
  void* result = NULL;
  EXPECT_EQ(pthread_create(&thread, NULL, body, argument), 0);
  sem_wait(&started);
  EXPECT_EQ(pthread_cancel(thread), 0);
  EXPECT_EQ(pthread_join(thread, &result), 0);
  EXPECT(result == PTHREAD_CANCELED);
  // Whoever held the mutex has given it back.
  EXPECT_EQ(pthread_mutex_trylock(&mutex), 0);
  EXPECT_EQ(pthread_mutex_unlock(&mutex), 0);
}

static void* disabled(void* argument) {
  int old = -1;
  EXPECT_EQ(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old), 0);
  EXPECT_EQ(old, PTHREAD_CANCEL_ENABLE);
  EXPECT_EQ(pthread_setcancelstate(17, NULL), EINVAL);
  EXPECT_EQ(pthread_setcanceltype(17, NULL), EINVAL);
  sem_post(&started);
  sem_wait(&never);  // cancelled meanwhile: must not act on it
  pthread_testcancel();
  *(int*)argument = 1;
  EXPECT_EQ(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old), 0);
  EXPECT_EQ(old, PTHREAD_CANCEL_DISABLE);
  pthread_testcancel();
  *(int*)argument = 2;
  return NULL;
}

static void* two_handlers(void* argument) {
  pthread_cleanup_push(note, "1");
  pthread_cleanup_push(note, "2");
  pthread_cleanup_push(note, "3");
  pthread_cleanup_pop(1);
  sem_post(&started);
  for (;;) sem_wait(&never);
  pthread_cleanup_pop(0);
  pthread_cleanup_pop(0);
  return argument;
}

int main(void) {
  sem_init(&started, 0, 0);
  sem_init(&never, 0, 0);
  EXPECT_EQ(pipe(pipe_ends), 0);
  cancel_and_check(in_condition_wait, NULL);
  cancel_and_check(in_timed_wait, NULL);
  cancel_and_check(in_semaphore_wait, NULL);
  cancel_and_check(in_sleep, NULL);
  cancel_and_check(in_nanosleep, NULL);
  cancel_and_check(in_read, NULL);
  cancel_and_check(in_poll, NULL);
  cancel_and_check(in_select, NULL);
  cancel_and_check(in_loop, NULL);
  cancel_and_check(two_handlers, NULL);
  EXPECT_EQ(strcmp(order, "321"), 0);

  pthread_t other;
  EXPECT_EQ(pthread_create(&other, NULL, in_semaphore_wait, NULL), 0);
  sem_wait(&started);
  cancel_and_check(in_join, &other);
  void* result = NULL;
  EXPECT_EQ(pthread_cancel(other), 0);
  EXPECT_EQ(pthread_join(other, &result), 0);  // a join that was cancelled does not count
  EXPECT(result == PTHREAD_CANCELED);

  int progress = 0;
  pthread_t thread;
  EXPECT_EQ(pthread_create(&thread, NULL, disabled, &progress), 0);
  sem_wait(&started);
  EXPECT_EQ(pthread_cancel(thread), 0);
  sem_post(&never);
  EXPECT_EQ(pthread_join(thread, &result), 0);
  EXPECT(result == PTHREAD_CANCELED);
  EXPECT_EQ(progress, 1);
  return 0;
}

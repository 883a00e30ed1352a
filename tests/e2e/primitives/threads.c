// SPDX-License-Identifier: Apache-2.0
// Creating, joining, detaching, naming threads.
#define _GNU_SOURCE
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>

#include "expect.h"

static sem_t go, ready;

static void* give_back(void* argument) { return argument; }

static void* leave_deep_inside(void* argument) {
  if (argument != NULL) pthread_exit((char*)argument + 1);
  return NULL;
}

static void* wait_for_go(void* argument) {
  sem_wait(&go);
  return argument;
}

static void* join_self(void* argument) {
  (void)argument;
  EXPECT_EQ(pthread_join(pthread_self(), NULL), EDEADLK);
  struct timespec soon = after_milliseconds(CLOCK_REALTIME, 5);
  EXPECT_EQ(pthread_timedjoin_np(pthread_self(), NULL, &soon), EDEADLK);
  return NULL;
}

static void* check_stack(void* argument) {
  pthread_attr_t attributes;
  void* low = NULL;
  size_t size = 0;
  int here = 0;
  EXPECT_EQ(pthread_getattr_np(pthread_self(), &attributes), 0);
  EXPECT_EQ(pthread_attr_getstack(&attributes, &low, &size), 0);
  EXPECT((char*)&here >= (char*)low && (char*)&here < (char*)low + size);
  if (argument != NULL) EXPECT(size >= *(size_t*)argument);
  EXPECT_EQ(pthread_attr_destroy(&attributes), 0);
  return NULL;
}

static void results(void) {
  pthread_t threads[5];
  for (intptr_t i = 0; i < 5; ++i) EXPECT_EQ(pthread_create(&threads[i], NULL, give_back, (void*)i), 0);
  for (intptr_t i = 0; i < 5; ++i) {
    void* result = NULL;
    EXPECT_EQ(pthread_join(threads[i], &result), 0);
    EXPECT_EQ((intptr_t)result, i);
  }
  char text[2];
  void* result = NULL;
  EXPECT_EQ(pthread_create(&threads[0], NULL, leave_deep_inside, text), 0);
  EXPECT_EQ(pthread_join(threads[0], &result), 0);
  EXPECT(result == text + 1);
}

static void joining(void) {
  pthread_t thread;
  void* result = NULL;
  sem_init(&go, 0, 0);
  EXPECT_EQ(pthread_create(&thread, NULL, wait_for_go, &go), 0);
  EXPECT_EQ(pthread_tryjoin_np(thread, &result), EBUSY);
  struct timespec soon = after_milliseconds(CLOCK_REALTIME, 5);
  EXPECT_EQ(pthread_timedjoin_np(thread, &result, &soon), ETIMEDOUT);
  soon = after_milliseconds(CLOCK_MONOTONIC, 5);
  EXPECT_EQ(pthread_clockjoin_np(thread, &result, CLOCK_MONOTONIC, &soon), ETIMEDOUT);
  EXPECT_EQ(pthread_clockjoin_np(thread, &result, CLOCK_PROCESS_CPUTIME_ID, &soon), EINVAL);
  EXPECT_EQ(pthread_kill(thread, 0), 0);
  EXPECT_EQ(pthread_kill(thread, 4711), EINVAL);
  sem_post(&go);
  int joined = ETIMEDOUT;  // even a long time may pass before the other thread gets on
  while (joined == ETIMEDOUT) {
    struct timespec late = after_milliseconds(CLOCK_REALTIME, 100000);
    joined = pthread_timedjoin_np(thread, &result, &late);
  }
  EXPECT_EQ(joined, 0);
  EXPECT(result == &go);

  EXPECT_EQ(pthread_create(&thread, NULL, give_back, &go), 0);
  while (pthread_tryjoin_np(thread, &result) == EBUSY) sched_yield();
  EXPECT(result == &go);

  EXPECT_EQ(pthread_create(&thread, NULL, join_self, NULL), 0);
  EXPECT_EQ(pthread_join(thread, NULL), 0);
  EXPECT_EQ(pthread_join(pthread_self(), NULL), EDEADLK);
}

static void* post_ready_and_wait(void* argument) {
  sem_post(&ready);
  sem_wait(&go);
  sem_post(&ready);
  return argument;
}

static void detaching(void) {
  pthread_t thread;
  pthread_attr_t attributes;
  sem_init(&go, 0, 0);
  sem_init(&ready, 0, 0);
  EXPECT_EQ(pthread_create(&thread, NULL, post_ready_and_wait, NULL), 0);
  sem_wait(&ready);
  EXPECT_EQ(pthread_detach(thread), 0);
  EXPECT_EQ(pthread_detach(thread), EINVAL);
  EXPECT_EQ(pthread_join(thread, NULL), EINVAL);
  sem_post(&go);
  sem_wait(&ready);

  EXPECT_EQ(pthread_attr_init(&attributes), 0);
  EXPECT_EQ(pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED), 0);
  EXPECT_EQ(pthread_create(&thread, &attributes, post_ready_and_wait, NULL), 0);
  sem_wait(&ready);
  EXPECT_EQ(pthread_join(thread, NULL), EINVAL);
  EXPECT_EQ(pthread_detach(thread), EINVAL);
  sem_post(&go);
  sem_wait(&ready);
  EXPECT_EQ(pthread_attr_destroy(&attributes), 0);
}

static void attributes_of_stacks(void) {
  pthread_t thread;
  pthread_attr_t attributes;
  EXPECT_EQ(pthread_create(&thread, NULL, check_stack, NULL), 0);
  EXPECT_EQ(pthread_join(thread, NULL), 0);
  size_t sizes[] = {256 * 1024, 16 * 1024 * 1024};
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(pthread_attr_init(&attributes), 0);
    EXPECT_EQ(pthread_attr_setstacksize(&attributes, sizes[i]), 0);
    EXPECT_EQ(pthread_create(&thread, &attributes, check_stack, &sizes[i]), 0);
    EXPECT_EQ(pthread_join(thread, NULL), 0);
    EXPECT_EQ(pthread_attr_destroy(&attributes), 0);
  }
  static char own_stack[512 * 1024] __attribute__((aligned(4096)));
  EXPECT_EQ(pthread_attr_init(&attributes), 0);
  EXPECT_EQ(pthread_attr_setstack(&attributes, own_stack, sizeof own_stack), 0);
  EXPECT_EQ(pthread_create(&thread, &attributes, check_stack, NULL), 0);
  EXPECT_EQ(pthread_join(thread, NULL), 0);
  EXPECT_EQ(pthread_attr_destroy(&attributes), 0);
}

static void* name_self(void* argument) {
  char name[16];
  (void)argument;
  EXPECT_EQ(pthread_setname_np(pthread_self(), "worker"), 0);
  EXPECT_EQ(pthread_getname_np(pthread_self(), name, sizeof name), 0);
  EXPECT_EQ(strcmp(name, "worker"), 0);
  EXPECT_EQ(pthread_setname_np(pthread_self(), "a name that is too long"), ERANGE);
  EXPECT_EQ(pthread_getname_np(pthread_self(), name, 4), ERANGE);
  return NULL;
}

static void scheduling_parameters(void) {
  int policy = -1;
  struct sched_param parameters;
  cpu_set_t set;
  EXPECT_EQ(pthread_getschedparam(pthread_self(), &policy, &parameters), 0);
  EXPECT_EQ(policy, SCHED_OTHER);
  EXPECT_EQ(parameters.sched_priority, 0);
  EXPECT_EQ(pthread_setschedparam(pthread_self(), SCHED_OTHER, &parameters), 0);
  EXPECT_EQ(pthread_getaffinity_np(pthread_self(), sizeof set, &set), 0);
  EXPECT(CPU_COUNT(&set) >= 1);
  EXPECT_EQ(pthread_setaffinity_np(pthread_self(), sizeof set, &set), 0);
}

static pid_t thread_ids[2];
static void* write_id(void* argument) {
  *(pid_t*)argument = gettid();
  EXPECT_EQ(gettid(), *(pid_t*)argument);
  return NULL;
}

int main(void) {
  results();
  joining();
  detaching();
  attributes_of_stacks();
  pthread_t threads[2];
  EXPECT_EQ(pthread_create(&threads[0], NULL, name_self, NULL), 0);
  EXPECT_EQ(pthread_join(threads[0], NULL), 0);
  scheduling_parameters();
  EXPECT_EQ(gettid(), getpid());
  for (int i = 0; i < 2; ++i) EXPECT_EQ(pthread_create(&threads[i], NULL, write_id, &thread_ids[i]), 0);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(pthread_join(threads[i], NULL), 0);
  EXPECT(thread_ids[0] != thread_ids[1] && thread_ids[0] != getpid());
  return 0;
}

// SPDX-License-Identifier: Apache-2.0
// POSIX semaphores, unnamed and named.
#define _GNU_SOURCE
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>

#include "expect.h"

static sem_t items, room;
static int buffer[2], in, out, sum;

static void* produce(void* argument) {
  for (int i = 1; i <= 6; ++i) {
    EXPECT_EQ(sem_wait(&room), 0);
    buffer[in++ % 2] = i;
    EXPECT_EQ(sem_post(&items), 0);
  }
  return argument;
}

static void* consume(void* argument) {
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(sem_wait(&items), 0);
    sum += buffer[out++ % 2];
    EXPECT_EQ(sem_post(&room), 0);
  }
  return argument;
}

static void* post(void* semaphore) {
  EXPECT_EQ(sem_post((sem_t*)semaphore), 0);
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  int value = -1;
  EXPECT_EQ(sem_init(&items, 0, 0), 0);
  EXPECT_EQ(sem_init(&room, 0, 2), 0);
  EXPECT_EQ(pthread_create(&threads[0], NULL, produce, NULL), 0);
  EXPECT_EQ(pthread_create(&threads[1], NULL, consume, NULL), 0);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(pthread_join(threads[i], NULL), 0);
  EXPECT_EQ(sum, 21);
  EXPECT_EQ(sem_getvalue(&room, &value), 0);
  EXPECT_EQ(value, 2);

  EXPECT_ERRNO(sem_trywait(&items), EAGAIN);
  EXPECT_EQ(sem_trywait(&room), 0);
  EXPECT_EQ(sem_getvalue(&room, &value), 0);
  EXPECT_EQ(value, 1);
  struct timespec soon = after_milliseconds(CLOCK_REALTIME, 2);
  EXPECT_ERRNO(sem_timedwait(&items, &soon), ETIMEDOUT);
  soon = after_milliseconds(CLOCK_MONOTONIC, 2);
  EXPECT_ERRNO(sem_clockwait(&items, CLOCK_MONOTONIC, &soon), ETIMEDOUT);
  EXPECT_ERRNO(sem_clockwait(&items, CLOCK_PROCESS_CPUTIME_ID, &soon), EINVAL);
  struct timespec bad = {1, 1000000000};
  EXPECT_ERRNO(sem_timedwait(&items, &bad), EINVAL);
  struct timespec past = {1, 0};
  EXPECT_EQ(sem_timedwait(&room, &past), 0);
  EXPECT_ERRNO(sem_init(&items, 0, (unsigned)SEM_VALUE_MAX + 1), EINVAL);

  sem_t full;
  EXPECT_EQ(sem_init(&full, 0, SEM_VALUE_MAX), 0);
  EXPECT_ERRNO(sem_post(&full), EOVERFLOW);
  EXPECT_EQ(sem_destroy(&full), 0);

  struct timespec late = after_milliseconds(CLOCK_REALTIME, 100000);
  EXPECT_EQ(pthread_create(&threads[0], NULL, post, &items), 0);
  while (sem_timedwait(&items, &late) != 0) EXPECT_EQ(errno, ETIMEDOUT);
  EXPECT_EQ(pthread_join(threads[0], NULL), 0);

  char name[64];
  snprintf(name, sizeof name, "/ravel-test-%d", (int)getpid());
  sem_t* named = sem_open(name, O_CREAT | O_EXCL, 0600, 0);
  EXPECT(named != SEM_FAILED);
  EXPECT_EQ(sem_unlink(name), 0);
  EXPECT_EQ(pthread_create(&threads[0], NULL, post, named), 0);
  EXPECT_EQ(sem_wait(named), 0);
  EXPECT_EQ(pthread_join(threads[0], NULL), 0);
  EXPECT_EQ(sem_close(named), 0);
  EXPECT_EQ(sem_destroy(&items), 0);
  EXPECT_EQ(sem_destroy(&room), 0);
  return 0;
}

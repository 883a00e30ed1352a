// SPDX-License-Identifier: Apache-2.0
// C11 threads.
#include <stdint.h>
#include <threads.h>

#include "expect.h"

static mtx_t mutex;
static cnd_t condition;
static once_flag flag = ONCE_FLAG_INIT;
static tss_t storage;
static int runs, tokens, destroyed;

static void initialise(void) { ++runs; }
static void destroy(void* value) { __atomic_fetch_add(&destroyed, *(int*)value, __ATOMIC_SEQ_CST); }

static struct timespec utc_after_milliseconds(long milliseconds) {
  struct timespec time;
  EXPECT_EQ(timespec_get(&time, TIME_UTC), TIME_UTC);
  time.tv_nsec += milliseconds * 1000000;
  time.tv_sec += time.tv_nsec / 1000000000;
  time.tv_nsec %= 1000000000;
  return time;
}

static int work(void* argument) {
  static int one = 1;
  call_once(&flag, initialise);
  EXPECT_EQ(runs, 1);
  EXPECT_EQ(tss_set(storage, &one), thrd_success);
  EXPECT_EQ(mtx_lock(&mutex), thrd_success);
  while (tokens == 0) EXPECT_EQ(cnd_wait(&condition, &mutex), thrd_success);
  --tokens;
  EXPECT_EQ(mtx_unlock(&mutex), thrd_success);
  if (argument != NULL) thrd_exit(-5);
  return 12;
}

static int find_it_busy(void* argument) {
  struct timespec soon = utc_after_milliseconds(2);
  EXPECT_EQ(mtx_trylock((mtx_t*)argument), thrd_busy);
  EXPECT_EQ(mtx_timedlock((mtx_t*)argument, &soon), thrd_timedout);
  return 0;
}

int main(void) {
  thrd_t threads[2];
  int result = 0;
  EXPECT_EQ(mtx_init(&mutex, mtx_plain), thrd_success);
  EXPECT_EQ(cnd_init(&condition), thrd_success);
  EXPECT_EQ(tss_create(&storage, destroy), thrd_success);
  EXPECT_EQ(thrd_create(&threads[0], work, NULL), thrd_success);
  EXPECT_EQ(thrd_create(&threads[1], work, &mutex), thrd_success);
  EXPECT_EQ(mtx_lock(&mutex), thrd_success);
  tokens = 2;
  EXPECT_EQ(cnd_signal(&condition), thrd_success);
  EXPECT_EQ(cnd_broadcast(&condition), thrd_success);
  EXPECT_EQ(mtx_unlock(&mutex), thrd_success);
  EXPECT_EQ(thrd_join(threads[0], &result), thrd_success);
  EXPECT_EQ(result, 12);
  EXPECT_EQ(thrd_join(threads[1], &result), thrd_success);
  EXPECT_EQ(result, -5);
  EXPECT_EQ(destroyed, 2);

  EXPECT_EQ(mtx_lock(&mutex), thrd_success);
  struct timespec soon = utc_after_milliseconds(2);
  do {
    result = cnd_timedwait(&condition, &mutex, &soon);
  } while (result == thrd_success);
  EXPECT_EQ(result, thrd_timedout);
  EXPECT_EQ(mtx_unlock(&mutex), thrd_success);
  mtx_destroy(&mutex);

  EXPECT_EQ(mtx_init(&mutex, mtx_timed | mtx_recursive), thrd_success);
  EXPECT_EQ(mtx_lock(&mutex), thrd_success);
  EXPECT_EQ(mtx_trylock(&mutex), thrd_success);
  EXPECT_EQ(thrd_create(&threads[0], find_it_busy, &mutex), thrd_success);
  EXPECT_EQ(thrd_join(threads[0], NULL), thrd_success);
  EXPECT_EQ(mtx_unlock(&mutex), thrd_success);
  EXPECT_EQ(mtx_unlock(&mutex), thrd_success);
  EXPECT_EQ(mtx_unlock(&mutex), thrd_error);
  mtx_destroy(&mutex);

  struct timespec little = {0, 1000000};
  EXPECT_EQ(thrd_sleep(&little, NULL), 0);
  struct timespec bad = {0, 1000000000};
  EXPECT(thrd_sleep(&bad, NULL) < -1);
  thrd_yield();
  EXPECT(thrd_equal(thrd_current(), thrd_current()));
  cnd_destroy(&condition);
  tss_delete(storage);
  return 0;
}

// SPDX-License-Identifier: Apache-2.0
// Spin locks and barriers.
#define _GNU_SOURCE
#include <pthread.h>

#include "expect.h"

enum { kThreads = 3, kRounds = 3 };

static pthread_spinlock_t spin;
static pthread_barrier_t barrier;
static int counter, serial[kRounds], arrived[kRounds];

static void* count(void* argument) {
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(pthread_spin_lock(&spin), 0);
    ++counter;
    EXPECT_EQ(pthread_spin_unlock(&spin), 0);
  }
  return argument;
}

static void* find_it_locked(void* argument) {
  EXPECT_EQ(pthread_spin_trylock(&spin), EBUSY);
  return argument;
}

static void* meet(void* argument) {
  for (int round = 0; round < kRounds; ++round) {
    __atomic_fetch_add(&arrived[round], 1, __ATOMIC_SEQ_CST);
    const int result = pthread_barrier_wait(&barrier);
    EXPECT_EQ(__atomic_load_n(&arrived[round], __ATOMIC_SEQ_CST), kThreads);
    EXPECT(result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD);
    if (result == PTHREAD_BARRIER_SERIAL_THREAD) __atomic_fetch_add(&serial[round], 1, __ATOMIC_SEQ_CST);
  }
  return argument;
}

static void run(void* (*body)(void*), int threads_wanted) {
  pthread_t threads[kThreads];
  for (int i = 0; i < threads_wanted; ++i) EXPECT_EQ(pthread_create(&threads[i], NULL, body, NULL), 0);
  for (int i = 0; i < threads_wanted; ++i) EXPECT_EQ(pthread_join(threads[i], NULL), 0);
}

int main(void) {
  EXPECT_EQ(pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE), 0);
  run(count, kThreads);
  EXPECT_EQ(counter, 4 * kThreads);
  EXPECT_EQ(pthread_spin_trylock(&spin), 0);
  run(find_it_locked, 1);
  EXPECT_EQ(pthread_spin_trylock(&spin), EBUSY);
  EXPECT_EQ(pthread_spin_unlock(&spin), 0);
  EXPECT_EQ(pthread_spin_destroy(&spin), 0);

  EXPECT_EQ(pthread_barrier_init(&barrier, NULL, 0), EINVAL);
  EXPECT_EQ(pthread_barrier_init(&barrier, NULL, kThreads), 0);
  run(meet, kThreads);
  for (int round = 0; round < kRounds; ++round) EXPECT_EQ(serial[round], 1);
  EXPECT_EQ(pthread_barrier_destroy(&barrier), 0);
  EXPECT_EQ(pthread_barrier_init(&barrier, NULL, 1), 0);
  EXPECT_EQ(pthread_barrier_wait(&barrier), PTHREAD_BARRIER_SERIAL_THREAD);
  EXPECT_EQ(pthread_barrier_destroy(&barrier), 0);
  return 0;
}

// SPDX-License-Identifier: Apache-2.0
// futex(2) through syscall(2).
#define _GNU_SOURCE
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/syscall.h>

#include "expect.h"

static uint32_t word, other, gate;

static long futex(uint32_t* address, int operation, uint32_t value, const void* timeout, uint32_t* second,
                  uint32_t third) {
  return syscall(SYS_futex, address, operation, value, timeout, second, third);
}

static uint32_t load(uint32_t* address) { return __atomic_load_n(address, __ATOMIC_SEQ_CST); }
static void store(uint32_t* address, uint32_t value) { __atomic_store_n(address, value, __ATOMIC_SEQ_CST); }

static void* wait_for_change(void* argument) {
  while (load(&word) == 0) {
    const long result = futex(&word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
    EXPECT(result == 0 || errno == EAGAIN || errno == EINTR);
  }
  return argument;
}

static void* wait_for_either(void* argument) {
  __atomic_fetch_add(&gate, 1, __ATOMIC_SEQ_CST);
  while (load(&word) == 0) {
    const long result = futex(&word, FUTEX_WAIT_BITSET_PRIVATE, 0, NULL, NULL, (uint32_t)(uintptr_t)argument);
    EXPECT(result == 0 || errno == EAGAIN || errno == EINTR);
  }
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  word = 1;
  EXPECT_ERRNO(futex(&word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0), EAGAIN);
  EXPECT_EQ(futex(&word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0), 0);
  struct timespec little = {0, 2000000};
  long result = 0;
  while ((result = futex(&word, FUTEX_WAIT_PRIVATE, 1, &little, NULL, 0)) == 0) {
  }
  EXPECT_EQ(errno, ETIMEDOUT);
  struct timespec soon = after_milliseconds(CLOCK_MONOTONIC, 2);
  while ((result = futex(&word, FUTEX_WAIT_BITSET_PRIVATE, 1, &soon, NULL, FUTEX_BITSET_MATCH_ANY)) == 0) {
  }
  EXPECT_EQ(errno, ETIMEDOUT);
  soon = after_milliseconds(CLOCK_REALTIME, 2);
  while ((result = futex(&word, FUTEX_WAIT_BITSET | FUTEX_CLOCK_REALTIME, 1, &soon, NULL, FUTEX_BITSET_MATCH_ANY)) ==
         0) {
  }
  EXPECT_EQ(errno, ETIMEDOUT);
  struct timespec bad = {0, 1000000000};
  EXPECT_ERRNO(futex(&word, FUTEX_WAIT_PRIVATE, 1, &bad, NULL, 0), EINVAL);
  EXPECT_ERRNO(futex(&word, FUTEX_WAIT_BITSET_PRIVATE, 1, NULL, NULL, 0), EINVAL);

  store(&word, 0);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(pthread_create(&threads[i], NULL, wait_for_change, NULL), 0);
  store(&word, 1);
  result = futex(&word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
  EXPECT(result >= 0 && result <= 3);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(pthread_join(threads[i], NULL), 0);

  store(&word, 0);
  for (uintptr_t i = 0; i < 2; ++i) {
    EXPECT_EQ(pthread_create(&threads[i], NULL, wait_for_either, (void*)(i + 1)), 0);
  }
  while (load(&gate) < 2) sched_yield();
  EXPECT(futex(&word, FUTEX_WAKE_BITSET_PRIVATE, 1, NULL, NULL, 4) == 0);  // nobody waits for that bit
  store(&word, 1);
  EXPECT(futex(&word, FUTEX_WAKE_BITSET_PRIVATE, INT_MAX, NULL, NULL, 1) <= 1);
  EXPECT(futex(&word, FUTEX_WAKE_BITSET_PRIVATE, INT_MAX, NULL, NULL, 2) <= 1);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(pthread_join(threads[i], NULL), 0);

  // Requeued waiters are woken through the second word.
  store(&word, 0);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(pthread_create(&threads[i], NULL, wait_for_change, NULL), 0);
  EXPECT_ERRNO(futex(&word, FUTEX_CMP_REQUEUE_PRIVATE, 0, (void*)1L, &other, 7), EAGAIN);
  store(&word, 1);
  EXPECT(futex(&word, FUTEX_CMP_REQUEUE_PRIVATE, 1, (void*)1L, &other, 1) <= 2);
  EXPECT(futex(&other, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0) <= 1);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(pthread_join(threads[i], NULL), 0);

  store(&other, 5);
  EXPECT_EQ(futex(&word, FUTEX_WAKE_OP_PRIVATE, 1, (void*)1L, &other, FUTEX_OP(FUTEX_OP_ADD, 3, FUTEX_OP_CMP_EQ, 5)),
            0);
  EXPECT_EQ(load(&other), 8);
  EXPECT_EQ(syscall(SYS_gettid), gettid());
  EXPECT_EQ(syscall(SYS_sched_yield), 0);
  EXPECT_EQ(syscall(SYS_getpid), getpid());
  return 0;
}

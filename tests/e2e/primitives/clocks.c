// SPDX-License-Identifier: Apache-2.0
// Sleeps last at least as long as asked, clocks never go back, loops that wait for a clock end.
#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <sys/select.h>
#include <sys/time.h>
#include <time.h>

#include "expect.h"

static long long now(clockid_t clock) {
  struct timespec time;
  EXPECT_EQ(clock_gettime(clock, &time), 0);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static void* sleep_in_all_ways(void* argument) {
  const struct timespec little = {0, 3000000};
  struct timespec remaining = {0, 0};
  struct timeval interval = {0, 3000};
  long long before = now(CLOCK_MONOTONIC);
  EXPECT_EQ(usleep(3000), 0);
  EXPECT(now(CLOCK_MONOTONIC) - before >= 3000000);
  before = now(CLOCK_MONOTONIC);
  EXPECT_EQ(nanosleep(&little, &remaining), 0);
  EXPECT(now(CLOCK_MONOTONIC) - before >= 3000000);
  before = now(CLOCK_REALTIME);
  EXPECT_EQ(clock_nanosleep(CLOCK_REALTIME, 0, &little, NULL), 0);
  EXPECT(now(CLOCK_REALTIME) - before >= 3000000);
  struct timespec until = after_milliseconds(CLOCK_MONOTONIC, 3);
  EXPECT_EQ(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL), 0);
  EXPECT(now(CLOCK_MONOTONIC) >= until.tv_sec * 1000000000LL + until.tv_nsec);
  before = now(CLOCK_MONOTONIC);
  EXPECT_EQ(poll(NULL, 0, 3), 0);
  EXPECT(now(CLOCK_MONOTONIC) - before >= 3000000);
  before = now(CLOCK_MONOTONIC);
  EXPECT_EQ(select(0, NULL, NULL, NULL, &interval), 0);
  EXPECT(now(CLOCK_MONOTONIC) - before >= 3000000);
  EXPECT_EQ(interval.tv_sec, 0);
  EXPECT_EQ(interval.tv_usec, 0);
  EXPECT_EQ(pselect(0, NULL, NULL, NULL, &little, NULL), 0);
  EXPECT_EQ(ppoll(NULL, 0, &little, NULL), 0);
  return argument;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) EXPECT_EQ(pthread_create(&threads[i], NULL, sleep_in_all_ways, NULL), 0);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(pthread_join(threads[i], NULL), 0);

  const struct timespec bad = {0, 1000000000};
  const struct timespec negative = {-1, 0};
  EXPECT_ERRNO(nanosleep(&bad, NULL), EINVAL);
  EXPECT_ERRNO(nanosleep(&negative, NULL), EINVAL);
  EXPECT_EQ(clock_nanosleep(CLOCK_MONOTONIC, 0, &bad, NULL), EINVAL);
  EXPECT_EQ(clock_nanosleep(CLOCK_THREAD_CPUTIME_ID, 0, &(struct timespec){0, 1}, NULL), EINVAL);
  EXPECT_EQ(sleep(0), 0);
  EXPECT_EQ(sched_yield(), 0);

  static const clockid_t clocks[] = {CLOCK_REALTIME, CLOCK_MONOTONIC,          CLOCK_MONOTONIC_RAW,
                                     CLOCK_BOOTTIME, CLOCK_PROCESS_CPUTIME_ID, CLOCK_THREAD_CPUTIME_ID};
  for (unsigned i = 0; i < sizeof clocks / sizeof *clocks; ++i) {
    const long long first = now(clocks[i]);
    EXPECT(now(clocks[i]) >= first);
  }
  struct timespec unused;
  EXPECT_ERRNO(clock_gettime(1234, &unused), EINVAL);
  struct timeval day;
  EXPECT_EQ(gettimeofday(&day, NULL), 0);
  const time_t seconds = time(NULL);
  EXPECT(seconds >= day.tv_sec && seconds - day.tv_sec <= 1);
  EXPECT(clock() >= 0);

  // A loop that only looks at the clock must end.
  const long long begin = now(CLOCK_MONOTONIC);
  while (now(CLOCK_MONOTONIC) - begin < 2000000) {
  }
  return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* What the programs here use to state what a primitive must return. They are run natively (so the expectations are
   those of glibc) and under Ravel on both carriers (which must find nothing). C and C++. */
#pragma once

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define EXPECT(condition)                                                      \
  do {                                                                         \
    if (!(condition)) {                                                        \
      fprintf(stderr, "%s:%d: expected %s\n", __FILE__, __LINE__, #condition); \
      _exit(1);                                                                \
    }                                                                          \
  } while (0)

#define EXPECT_EQ(actual, expected)                                                                                    \
  do {                                                                                                                 \
    const long long actual_value = (long long)(actual);                                                                \
    const long long expected_value = (long long)(expected);                                                            \
    if (actual_value != expected_value) {                                                                              \
      fprintf(stderr, "%s:%d: %s is %lld, expected %s (%lld)\n", __FILE__, __LINE__, #actual, actual_value, #expected, \
              expected_value);                                                                                         \
      _exit(1);                                                                                                        \
    }                                                                                                                  \
  } while (0)

/* A call that fails with -1 and errno. */
#define EXPECT_ERRNO(call, error) \
  do {                            \
    errno = 0;                    \
    EXPECT_EQ((call), -1);        \
    EXPECT_EQ(errno, error);      \
  } while (0)

static inline struct timespec after_milliseconds(clockid_t clock, long milliseconds) {
  struct timespec time;
  clock_gettime(clock, &time);
  time.tv_sec += milliseconds / 1000;
  time.tv_nsec += (milliseconds % 1000) * 1000000;
  if (time.tv_nsec >= 1000000000) {
    ++time.tv_sec;
    time.tv_nsec -= 1000000000;
  }
  return time;
}

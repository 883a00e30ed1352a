// SPDX-License-Identifier: Apache-2.0
// Sleeping, yielding, clocks.
#include <cerrno>

#include "runtime/abi/export.h"
#include "runtime/interpose/real_symbols.h"
#include "runtime/interpose/runtime_mode.h"
#include "runtime/interpose/time_operations.h"

using namespace ravel;

namespace {

int with_errno(int error) {
  if (error == 0) return 0;
  errno = error;
  return -1;
}

}  // namespace

RAVEL_EXPORT unsigned sleep(unsigned seconds) {
  if (!under_engine()) return real().sleep(seconds);
  timespec left = {};
  const int error = sleep_for(timespec{static_cast<time_t>(seconds), 0}, &left, RAVEL_CALL_SITE);
  return error == 0 ? 0 : static_cast<unsigned>(left.tv_sec + (left.tv_nsec >= 500'000'000 ? 1 : 0));
}

RAVEL_EXPORT int usleep(useconds_t microseconds) {
  if (!under_engine()) return real().usleep(microseconds);
  const timespec duration{static_cast<time_t>(microseconds / 1'000'000),
                          static_cast<long>(microseconds % 1'000'000) * 1000};
  return with_errno(sleep_for(duration, nullptr, RAVEL_CALL_SITE));
}

RAVEL_EXPORT int nanosleep(const timespec* duration, timespec* remaining) {
  if (!under_engine()) return real().nanosleep(duration, remaining);
  return with_errno(sleep_for(*duration, remaining, RAVEL_CALL_SITE));
}

RAVEL_EXPORT int clock_nanosleep(clockid_t clock, int flags, const timespec* time, timespec* remaining) {
  if (!under_engine()) return real().clock_nanosleep(clock, flags, time, remaining);
  return sleep_on_clock(clock, flags, *time, remaining, RAVEL_CALL_SITE);
}

RAVEL_EXPORT int sched_yield() {
  if (!under_engine()) return real().sched_yield();
  return yield_task(RAVEL_CALL_SITE);
}

// pthread_yield is only a name for old binaries: the header makes new code call sched_yield.
RAVEL_EXPORT int ravel_pthread_yield() __asm__("pthread_yield");
int ravel_pthread_yield() { return sched_yield(); }

RAVEL_EXPORT int clock_gettime(clockid_t clock, timespec* time) {
  if (!under_engine()) return real().clock_gettime(clock, time);
  return read_clock_into(clock, time);
}

RAVEL_EXPORT int gettimeofday(timeval* time, void* zone) {
  if (!under_engine()) return real().gettimeofday(time, zone);
  timespec now = {};
  read_clock_into(CLOCK_REALTIME, &now);
  *time = timeval{now.tv_sec, now.tv_nsec / 1000};
  if (zone != nullptr) *static_cast<struct timezone*>(zone) = {};
  return 0;
}

RAVEL_EXPORT time_t time(time_t* result) {
  if (!under_engine()) return real().time(result);
  timespec now = {};
  read_clock_into(CLOCK_REALTIME, &now);
  if (result != nullptr) *result = now.tv_sec;
  return now.tv_sec;
}

RAVEL_EXPORT int timespec_get(timespec* time, int base) {
  if (!under_engine()) return real().timespec_get(time, base);
  if (base != TIME_UTC) return 0;
  read_clock_into(CLOCK_REALTIME, time);
  return base;
}

RAVEL_EXPORT clock_t clock() {
  if (!under_engine()) return real().clock();
  timespec now = {};
  read_clock_into(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec * CLOCKS_PER_SEC + now.tv_nsec / (1'000'000'000 / CLOCKS_PER_SEC);
}

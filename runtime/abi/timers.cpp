// SPDX-License-Identifier: Apache-2.0
// Timers: timerfd, setitimer, alarm, timer_create.
#include <sys/timerfd.h>

#include "runtime/abi/export.h"
#include "runtime/interpose/real_symbols.h"
#include "runtime/interpose/runtime_mode.h"
#include "runtime/interpose/timer_operations.h"

using namespace ravel;

namespace {

constexpr long kMicroseconds = 1'000'000;

// What was left of the timer before.
timeval exchange_alarm(const itimerval& time) {
  itimerval before = {};
  set_interval_timer(ITIMER_REAL, &time, &before);
  return before.it_value;
}

}  // namespace

RAVEL_EXPORT int timerfd_create(int clock, int flags) noexcept {
  if (!under_engine()) return real().timerfd_create(clock, flags);
  return create_timer_descriptor(clock, flags);
}

RAVEL_EXPORT int timerfd_settime(int descriptor, int flags, const itimerspec* time, itimerspec* before) noexcept {
  if (!under_engine() || time == nullptr) return real().timerfd_settime(descriptor, flags, time, before);
  return set_timer_descriptor(descriptor, flags, time, before, RAVEL_CALL_SITE);
}

RAVEL_EXPORT int timerfd_gettime(int descriptor, itimerspec* left) noexcept {
  if (!under_engine() || left == nullptr) return real().timerfd_gettime(descriptor, left);
  return read_timer_descriptor(descriptor, left);
}

RAVEL_EXPORT int setitimer(__itimer_which_t which, const itimerval* time, itimerval* before) noexcept {
  if (!under_engine()) return real().setitimer(which, time, before);
  return set_interval_timer(which, time, before);
}

RAVEL_EXPORT int getitimer(__itimer_which_t which, itimerval* left) noexcept {
  if (!under_engine() || left == nullptr) return real().getitimer(which, left);
  return read_interval_timer(which, left);
}

RAVEL_EXPORT unsigned alarm(unsigned seconds) noexcept {
  if (!under_engine()) return real().alarm(seconds);
  const timeval left = exchange_alarm({{}, {static_cast<time_t>(seconds), 0}});
  // As the kernel rounds it, and never to nothing.
  const bool up = left.tv_usec >= kMicroseconds / 2 || (left.tv_sec == 0 && left.tv_usec > 0);
  return static_cast<unsigned>(left.tv_sec + (up ? 1 : 0));
}

RAVEL_EXPORT useconds_t ualarm(useconds_t first, useconds_t interval) noexcept {
  if (!under_engine()) return real().ualarm(first, interval);
  const auto to_time = [](useconds_t time) { return timeval{time / kMicroseconds, time % kMicroseconds}; };
  const timeval left = exchange_alarm({to_time(interval), to_time(first)});
  return static_cast<useconds_t>(left.tv_sec * kMicroseconds + left.tv_usec);
}

RAVEL_EXPORT int timer_create(clockid_t clock, sigevent* event, timer_t* timer) noexcept {
  if (!under_engine()) return real().timer_create(clock, event, timer);
  return create_timer(clock, event, timer);
}

RAVEL_EXPORT int timer_settime(timer_t timer, int flags, const itimerspec* time, itimerspec* before) noexcept {
  if (!under_engine() || time == nullptr) return real().timer_settime(timer, flags, time, before);
  return set_timer(timer, flags, time, before);
}

RAVEL_EXPORT int timer_gettime(timer_t timer, itimerspec* left) noexcept {
  if (!under_engine() || left == nullptr) return real().timer_gettime(timer, left);
  return read_timer(timer, left);
}

RAVEL_EXPORT int timer_delete(timer_t timer) noexcept {
  if (!under_engine()) return real().timer_delete(timer);
  return delete_timer(timer);
}

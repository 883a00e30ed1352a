// SPDX-License-Identifier: Apache-2.0
#include "runtime/interpose/timer_operations.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>

#include "runtime/interpose/real_symbols.h"
#include "runtime/interpose/signal_operations.h"
#include "runtime/interpose/virtual_time.h"
#include "runtime/resident/residence.h"

namespace ravel {
namespace {

enum class Source : std::uint8_t { unused, descriptor, interval_timer, posix_timer };

struct Timer {
  Source source = Source::unused;
  bool expired = false;  // a descriptor that has not been read since
  int descriptor = -1;
  timer_t handle = nullptr;
  clockid_t clock = CLOCK_REALTIME;
  int signal = 0;  // 0: a descriptor, or a timer that tells nobody
  std::uint64_t deadline = 0;
  std::uint64_t interval = 0;
  bool armed = false;
  // What was asked of the kernel before control began.
  int flags = 0;
  itimerspec asked = {};
};

struct Timers {
  static constexpr std::size_t kCapacity = 256;
  std::size_t used = 0;  // those behind are unused
  Timer all[kCapacity] = {};
};
constinit Timers g_timers;

template <typename Fits>
Timer* find(Fits fits) {
  for (std::size_t i = 0; i < g_timers.used; ++i) {
    Timer& timer = g_timers.all[i];
    if (timer.source != Source::unused && fits(timer)) return &timer;
  }
  return nullptr;
}

Timer* of_descriptor(int descriptor) {
  return find([=](const Timer& t) { return t.source == Source::descriptor && t.descriptor == descriptor; });
}
Timer* of_handle(timer_t handle) {
  return find([=](const Timer& t) { return t.source == Source::posix_timer && t.handle == handle; });
}
Timer* of_interval_timer() {
  return find([](const Timer& t) { return t.source == Source::interval_timer; });
}

// Null when there are too many: those stay the kernel's.
Timer* added(Source source, clockid_t clock) {
  std::size_t place = 0;
  while (place < g_timers.used && g_timers.all[place].source != Source::unused) ++place;
  if (place == Timers::kCapacity) return nullptr;
  if (place == g_timers.used) ++g_timers.used;
  Timer& timer = g_timers.all[place];
  timer = Timer{};
  timer.source = source;
  timer.clock = clock;
  return &timer;
}

std::uint64_t to_nanoseconds(const timespec& time) {
  return static_cast<std::uint64_t>(time.tv_sec) * kNanosecondsPerSecond + static_cast<std::uint64_t>(time.tv_nsec);
}

itimerspec to_itimerspec(const itimerval& time) {
  return {{time.it_interval.tv_sec, time.it_interval.tv_usec * 1000},
          {time.it_value.tv_sec, time.it_value.tv_usec * 1000}};
}

itimerval to_itimerval(const itimerspec& time) {
  return {{time.it_interval.tv_sec, time.it_interval.tv_nsec / 1000},
          {time.it_value.tv_sec, time.it_value.tv_nsec / 1000}};
}

bool is_valid(const itimerspec& time) {
  return has_valid_nanoseconds(time.it_value) && has_valid_nanoseconds(time.it_interval) && time.it_value.tv_sec >= 0 &&
         time.it_interval.tv_sec >= 0;
}

// How often a timer has come by now: at least once, if its deadline has.
std::uint64_t expirations(const Timer& timer) {
  const std::uint64_t now = scheduler().now();
  if (!timer.armed || timer.deadline > now) return 0;
  return timer.interval == 0 ? 1 : 1 + (now - timer.deadline) / timer.interval;
}

// The latest expirations have been told; the next one is to come.
void move_on(Timer& timer, std::uint64_t times) {
  timer.expired = false;
  timer.deadline += times * timer.interval;
  if (timer.interval == 0) timer.armed = false;
}

itimerspec left_of(const Timer& timer) {
  itimerspec left = {to_timespec(timer.interval), {}};
  if (timer.armed) {
    const std::uint64_t next = timer.deadline + expirations(timer) * timer.interval;
    left.it_value = time_until(next);
  }
  return left;
}

void start(Timer& timer, bool absolute, const itimerspec& time) {
  timer.expired = false;
  timer.armed = time.it_value.tv_sec != 0 || time.it_value.tv_nsec != 0;
  timer.interval = to_nanoseconds(time.it_interval);
  timer.deadline = absolute ? deadline_at(timer.clock, time.it_value) : deadline_after(time.it_value);
}

// Common part of the three ways to set a timer. `real_set` sets the kernel's.
template <typename RealSet>
int set_time(Timer* timer, bool absolute, const itimerspec& time, itimerspec* before, RealSet real_set) {
  const bool is_kernels = timer == nullptr || !scheduler().controlled() || !is_valid(time);
  if (is_kernels) {
    const int result = real_set(time, before);
    if (result == 0 && timer != nullptr) {
      timer->asked = time;
      timer->flags = absolute ? TIMER_ABSTIME : 0;
    }
    return result;
  }
  if (before != nullptr) *before = left_of(*timer);
  if (timer->source == Source::descriptor) real_set(itimerspec{}, nullptr);  // it is not readable any more
  start(*timer, absolute, time);
  return 0;
}

// The kernel's timer may have come already: then it is left as it is.
template <typename RealGet, typename RealSet>
void adopt(Timer& timer, RealGet real_get, RealSet real_set) {
  itimerspec left = {};
  if (real_get(&left) != 0 || (left.it_value.tv_sec == 0 && left.it_value.tv_nsec == 0)) return;
  real_set(itimerspec{}, nullptr);
  // Not what is left: that would be another time in every execution.
  start(timer, false, (timer.flags & TIMER_ABSTIME) != 0 ? left : timer.asked);
}

auto real_setter(const Timer& timer) {
  return [&timer](const itimerspec& time, itimerspec* before) {
    if (timer.source == Source::descriptor) return real().timerfd_settime(timer.descriptor, 0, &time, before);
    if (timer.source == Source::posix_timer) return real().timer_settime(timer.handle, 0, &time, before);
    const itimerval value = to_itimerval(time);
    return real().setitimer(ITIMER_REAL, &value, nullptr);
  };
}

auto real_getter(const Timer& timer) {
  return [&timer](itimerspec* left) {
    if (timer.source == Source::descriptor) return real().timerfd_gettime(timer.descriptor, left);
    if (timer.source == Source::posix_timer) return real().timer_gettime(timer.handle, left);
    itimerval value = {};
    const int result = real().getitimer(ITIMER_REAL, &value);
    *left = to_itimerspec(value);
    return result;
  };
}

// A time long past: the kernel's timer expires at once, which is waited for.
void make_readable(const Timer& timer) {
  constexpr int kLongest = 1000;  // milliseconds; it takes microseconds
  const itimerspec past = {{}, {0, 1}};
  real().timerfd_settime(timer.descriptor, TFD_TIMER_ABSTIME, &past, nullptr);
  pollfd waited{timer.descriptor, POLLIN, 0};
  real().poll(&waited, 1, kLongest);
}

bool is_epoll(int descriptor) {
  char path[64];
  char link[64] = {};
  snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
  return readlink(path, link, sizeof link - 1) > 0 && std::string_view(link) == "anon_inode:[eventpoll]";
}

bool sends_signal(const Timer& timer) {
  return timer.signal != 0 && timer.armed && is_noticed(timer.signal) && !is_pending_anywhere(timer.signal);
}

}  // namespace

void adopt_timers() {
  const int saved_errno = errno;
  for (std::size_t i = 0; i < g_timers.used; ++i) {
    Timer& timer = g_timers.all[i];
    if (timer.source != Source::unused) adopt(timer, real_getter(timer), real_setter(timer));
  }
  errno = saved_errno;
}

int create_timer_descriptor(int clock, int flags) {
  const int descriptor = real().timerfd_create(clock, flags);
  if (descriptor < 0) return descriptor;
  forget_timer_descriptor(descriptor);
  if (Timer* const timer = added(Source::descriptor, clock)) timer->descriptor = descriptor;
  return descriptor;
}

int set_timer_descriptor(int descriptor, int flags, const itimerspec* time, itimerspec* before, CallSite pc) {
  reach_point(operation_on(OperationKind::io, static_cast<std::uint64_t>(static_cast<unsigned>(descriptor)), pc));
  return set_time(
      of_descriptor(descriptor), (flags & TFD_TIMER_ABSTIME) != 0, *time, before,
      [=](const itimerspec& now, itimerspec* was) { return real().timerfd_settime(descriptor, flags, &now, was); });
}

int read_timer_descriptor(int descriptor, itimerspec* left) {
  const Timer* const timer = of_descriptor(descriptor);
  if (timer == nullptr || !scheduler().controlled()) return real().timerfd_gettime(descriptor, left);
  *left = left_of(*timer);
  return 0;
}

void forget_timer_descriptor(int descriptor) {
  if (Timer* const timer = of_descriptor(descriptor)) *timer = Timer{};
}

int set_interval_timer(int which, const itimerval* time, itimerval* before) {
  Timer* timer = nullptr;
  if (which == ITIMER_REAL && time != nullptr) {
    timer = of_interval_timer();
    if (timer == nullptr) timer = added(Source::interval_timer, CLOCK_MONOTONIC);
    if (timer != nullptr) timer->signal = SIGALRM;
  }
  if (timer == nullptr || !scheduler().controlled()) cannot_be_put_back();
  itimerspec was = {};
  const int result = set_time(timer, false, time == nullptr ? itimerspec{} : to_itimerspec(*time), &was,
                              [=](const itimerspec&, itimerspec* kernels) {
                                itimerval value = {};
                                const int set = real().setitimer(which, time, &value);
                                *kernels = to_itimerspec(value);
                                return set;
                              });
  if (result == 0 && before != nullptr) *before = to_itimerval(was);
  return result;
}

int read_interval_timer(int which, itimerval* left) {
  const Timer* const timer = which == ITIMER_REAL ? of_interval_timer() : nullptr;
  if (timer == nullptr || !scheduler().controlled()) return real().getitimer(which, left);
  *left = to_itimerval(left_of(*timer));
  return 0;
}

int create_timer(clockid_t clock, sigevent* event, timer_t* handle) {
  cannot_be_put_back();
  const int result = real().timer_create(clock, event, handle);
  const int how = event == nullptr ? SIGEV_SIGNAL : event->sigev_notify;
  if (result != 0 || !is_wait_clock(clock) || (how != SIGEV_SIGNAL && how != SIGEV_NONE)) return result;
  if (Timer* const timer = added(Source::posix_timer, clock)) {
    timer->handle = *handle;
    if (how == SIGEV_SIGNAL) timer->signal = event == nullptr ? SIGALRM : event->sigev_signo;
  }
  return result;
}

int set_timer(timer_t handle, int flags, const itimerspec* time, itimerspec* before) {
  return set_time(
      of_handle(handle), (flags & TIMER_ABSTIME) != 0, *time, before,
      [=](const itimerspec& now, itimerspec* was) { return real().timer_settime(handle, flags, &now, was); });
}

int read_timer(timer_t handle, itimerspec* left) {
  const Timer* const timer = of_handle(handle);
  if (timer == nullptr || !scheduler().controlled()) return real().timer_gettime(handle, left);
  *left = left_of(*timer);
  return 0;
}

int delete_timer(timer_t handle) {
  if (Timer* const timer = of_handle(handle)) *timer = Timer{};
  return real().timer_delete(handle);
}

void expire_descriptors() {
  bool any = false;
  for (std::size_t i = 0; i < g_timers.used; ++i) {
    Timer& timer = g_timers.all[i];
    if (timer.source != Source::descriptor || timer.expired || expirations(timer) == 0) continue;
    timer.expired = true;
    make_readable(timer);
    any = true;
  }
  if (any) external_changed();
}

std::uint64_t next_expiration(const ExternalWait& wait) {
  if (g_timers.used == 0) return kNever;
  bool any_timer = false;
  for (nfds_t i = 0; i < wait.count; ++i) any_timer = any_timer || is_epoll(wait.descriptors[i].fd);
  std::uint64_t next = kNever;
  for (std::size_t k = 0; k < g_timers.used; ++k) {
    const Timer& timer = g_timers.all[k];
    if (timer.source != Source::descriptor || timer.expired || !timer.armed || timer.deadline >= next) continue;
    bool waited_for = any_timer;  // it may be in the set
    for (nfds_t i = 0; i < wait.count; ++i) waited_for = waited_for || wait.descriptors[i].fd == timer.descriptor;
    if (waited_for) next = timer.deadline;
  }
  return next;
}

void count_expirations(int descriptor, void* buffer, ssize_t size) {
  if (g_timers.used == 0 || size != static_cast<ssize_t>(sizeof(std::uint64_t))) return;
  Timer* const timer = of_descriptor(descriptor);
  if (timer == nullptr || !timer->expired) return;
  const std::uint64_t times = expirations(*timer);
  __builtin_memcpy(buffer, &times, sizeof times);
  move_on(*timer, times);
}

bool is_virtual_timer(int descriptor) { return scheduler().controlled() && of_descriptor(descriptor) != nullptr; }

std::uint64_t next_timer_signal() {
  std::uint64_t next = kNever;
  for (std::size_t i = 0; i < g_timers.used; ++i) {
    const Timer& timer = g_timers.all[i];
    if (timer.deadline < next && sends_signal(timer)) next = timer.deadline;
  }
  return next;
}

void send_timer_signals() {
  for (std::size_t i = 0; i < g_timers.used; ++i) {
    Timer& timer = g_timers.all[i];
    const std::uint64_t times = timer.signal == 0 ? 0 : expirations(timer);
    if (times == 0) continue;
    const bool sends = sends_signal(timer);
    move_on(timer, times);
    if (sends) send_signal_of_timer(timer.signal);
  }
}

}  // namespace ravel

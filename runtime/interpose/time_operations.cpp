// SPDX-License-Identifier: Apache-2.0
#include "runtime/interpose/time_operations.h"

#include <cerrno>

#include "runtime/interpose/real_symbols.h"
#include "runtime/interpose/virtual_time.h"

namespace ravel {
namespace {

bool only_signals_end_it(const void*, const Task& task) { return wait_interrupted(task); }

int sleep_until(std::uint64_t deadline, CallSite pc) {
  test_cancel();
  const bool brief = begin_sleep(deadline);
  const Operation operation = operation_on(OperationKind::sleep, std::uint64_t{0}, pc, deadline);
  const Wait wait{own_key(scheduler().current()), &only_signals_end_it, nullptr, deadline, true, nullptr, brief};
  const Turn turn = reach_point(operation, wait);
  if (turn == Turn::cancelled) cancel_current();
  return turn == Turn::go ? EINTR : 0;
}

}  // namespace

int sleep_for(const timespec& duration, timespec* remaining, CallSite pc) {
  return sleep_on_clock(CLOCK_REALTIME, 0, duration, remaining, pc);
}

int sleep_on_clock(clockid_t clock, int flags, const timespec& time, timespec* remaining, CallSite pc) {
  if (clock == CLOCK_THREAD_CPUTIME_ID || !is_virtual_clock(clock)) return EINVAL;
  if (!has_valid_nanoseconds(time) || time.tv_sec < 0) return EINVAL;
  const bool absolute = (flags & TIMER_ABSTIME) != 0;
  const std::uint64_t deadline = absolute ? deadline_at(clock, time) : deadline_after(time);
  const int error = sleep_until(deadline, pc);
  if (error == EINTR && !absolute && remaining != nullptr) *remaining = time_until(deadline);
  return error;
}

int yield_task(CallSite pc) {
  const int saved_errno = errno;
  reach_point(operation_on(OperationKind::yield, std::uint64_t{0}, pc));
  errno = saved_errno;
  return 0;
}

int read_clock_into(clockid_t clock, timespec* time) {
  if (!is_virtual_clock(clock)) return real().clock_gettime(clock, time);
  const timespec now = read_virtual_clock(clock);
  if (time != nullptr) *time = now;
  return 0;
}

}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
#include "runtime/interpose/virtual_time.h"

#include <algorithm>

#include "runtime/interpose/timer_operations.h"

namespace ravel {
namespace {

// In an exhaustive search every sleep may be a short one, and who tries again until a duration comes out right would do
// so for ever. From here on sleeps take their time; searches with such long executions do not end anyway.
constexpr std::uint64_t kStepsOfShortSleeps = 10'000;

std::uint64_t base_of(clockid_t clock) {
  switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
    case CLOCK_REALTIME_ALARM:
    case CLOCK_TAI:
      return kRealtimeBase;
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_RAW:
    case CLOCK_MONOTONIC_COARSE:
    case CLOCK_BOOTTIME:
    case CLOCK_BOOTTIME_ALARM:
      return kMonotonicBase;
    default:
      return 0;
  }
}

// Nanoseconds of a valid timespec; negative ones are 0, far ones saturate below kNever.
std::uint64_t to_nanoseconds(const timespec& time) {
  if (time.tv_sec < 0) return 0;
  constexpr std::uint64_t kFar = kNever / 4;
  const auto seconds = static_cast<std::uint64_t>(time.tv_sec);
  if (seconds >= kFar / kNanosecondsPerSecond) return kFar;
  return seconds * kNanosecondsPerSecond + static_cast<std::uint64_t>(time.tv_nsec);
}

}  // namespace

bool is_virtual_clock(clockid_t clock) {
  return base_of(clock) != 0 || clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID;
}

timespec to_timespec(std::uint64_t nanoseconds) {
  return timespec{static_cast<time_t>(nanoseconds / kNanosecondsPerSecond),
                  static_cast<long>(nanoseconds % kNanosecondsPerSecond)};
}

timespec read_virtual_clock(clockid_t clock) { return to_timespec(base_of(clock) + scheduler().read_clock()); }

std::uint64_t deadline_at(clockid_t clock, const timespec& time) {
  const std::uint64_t shown = to_nanoseconds(time);
  const std::uint64_t base = base_of(clock);
  return shown <= base ? 0 : shown - base;
}

std::uint64_t deadline_after(const timespec& duration) { return scheduler().now() + to_nanoseconds(duration); }

timespec time_until(std::uint64_t deadline) {
  const std::uint64_t now = scheduler().now();
  return to_timespec(deadline <= now ? 0 : deadline - now);
}

void begin_timed_wait(std::uint64_t deadline) {
  if (deadline == kNever || deadline <= scheduler().now()) return;
  if (scheduler().choose_environment(EnvironmentKind::early_timeout, 2) != 1) return;
  scheduler().pass_time(std::min(deadline, next_timer_signal()));
}

bool begin_sleep(std::uint64_t deadline) {
  Scheduler& engine = scheduler();
  if (deadline <= engine.now()) return false;
  const bool brief = deadline - engine.now() < kNanosecondsPerSecond;
  const std::uint64_t end = std::min(deadline, next_timer_signal());  // a signal ends the sleep
  bool& slept_short = engine.current().primitive.slept_short;
  // Never two short ones in a row: who looks, sleeps, and gives up after some rounds is to see what others do.
  const bool may_be_short = brief && !slept_short && engine.concurrent();
  slept_short = false;
  if (engine.sleeps_are_short()) {
    engine.skip_time(end);
  } else if (!may_be_short) {
    begin_timed_wait(deadline);
  } else if (engine.exhaustive() ? engine.channel().result.summary.steps < kStepsOfShortSleeps
                                 : engine.choose_environment(EnvironmentKind::short_sleep, 2) == 1) {
    slept_short = true;
    engine.skip_time(end);
  }
  return brief;
}

}  // namespace ravel

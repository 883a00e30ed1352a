// SPDX-License-Identifier: Apache-2.0
// Clocks and deadlines in virtual time: what the program reads is a fixed date plus the scheduler's clock, so two runs
// of one schedule read the same times.
#pragma once

#include <time.h>

#include <cstdint>

#include "runtime/scheduler/scheduler.h"

namespace ravel {

inline constexpr std::uint64_t kNanosecondsPerSecond = 1'000'000'000;

// What the clocks show when control begins: 2030-01-01 00:00:00 UTC, and a machine up for 1000 seconds.
inline constexpr std::uint64_t kRealtimeBase = 1'893'456'000 * kNanosecondsPerSecond;
inline constexpr std::uint64_t kMonotonicBase = 1'000 * kNanosecondsPerSecond;

// A clock kept in virtual time? Others (a file's clock, another process's CPU clock) stay the system's.
bool is_virtual_clock(clockid_t clock);

// The clocks glibc accepts in pthread_*_clock* functions.
inline bool is_wait_clock(clockid_t clock) { return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC; }

inline bool has_valid_nanoseconds(const timespec& time) {
  return time.tv_nsec >= 0 && time.tv_nsec < static_cast<long>(kNanosecondsPerSecond);
}

// Reading a clock makes a little time pass.
timespec read_virtual_clock(clockid_t clock);

// When (in the scheduler's time) `clock` shows `time`. Times before the start of control are 0: long past.
std::uint64_t deadline_at(clockid_t clock, const timespec& time);

// When `duration` from now has passed.
std::uint64_t deadline_after(const timespec& duration);

// The time left until `deadline`.
timespec time_until(std::uint64_t deadline);

timespec to_timespec(std::uint64_t nanoseconds);

// The one rule of timed waits. A wait that is about to block with a deadline asks here first. The quiet answer: time
// stands still while some task can run, so the deadline comes only when nothing else can happen. The other: enough time
// passes right now to reach the deadline although others could run (and every earlier deadline, as on a real machine
// whose other threads were delayed).
void begin_timed_wait(std::uint64_t deadline);

// The same for a sleep: nobody gives up when it ends. One of less than a second is as likely to be over at once, as far
// as this task is concerned, as to last until nobody else can run; a longer one is often a bound that is not meant to
// be reached. True when it is a short one: Wait::brief.
bool begin_sleep(std::uint64_t deadline);

}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
// Deadline: when a command must end: its time is up, or the user has interrupted it. Everything in the driver that
// loops or waits has one and asks it.
//
// Who makes it: the commands in driver/cli, from --time and the interruption flag. It is handed down by value; a part
// that may use only some of the time hands on within() or before(). Thread safety: a value; the flag is atomic.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>

namespace ravel {

class Deadline {
 public:
  using Clock = std::chrono::steady_clock;

  Deadline() = default;  // never comes
  explicit Deadline(const std::atomic<bool>& interrupted) : interrupted_(&interrupted) {}

  // Like this one, but at most `time` from now.
  Deadline within(std::chrono::nanoseconds time) const {
    const Clock::time_point now = Clock::now();
    const bool endless = time >= Clock::time_point::max() - now;
    return endless ? *this : before(now + std::chrono::duration_cast<Clock::duration>(time));
  }
  Deadline before(Clock::time_point end) const {
    Deadline result = *this;
    result.end_ = std::min(end_, end);
    return result;
  }

  bool has_come() const { return interrupted() || Clock::now() >= end_; }
  bool interrupted() const { return interrupted_ != nullptr && interrupted_->load(std::memory_order_relaxed); }
  Clock::time_point end() const { return end_; }

  // Why it has come, in the words of a report.
  const char* reason() const { return interrupted() ? "it was interrupted" : "the time was up"; }

 private:
  const std::atomic<bool>* interrupted_ = nullptr;
  Clock::time_point end_ = Clock::time_point::max();
};

}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
// Runs a program to its end or to a time limit, with empty input, and keeps what it writes. Address-space randomisation
// is off, which ThreadSanitizer needs on some kernels. Who calls it: race tests under other detectors, selection by
// change. Thread safety: none: the calling process's own personality is changed for a moment.
//
// Invariant: when it returns, no process of the program's group is left.
#pragma once

#include <atomic>
#include <chrono>
#include <string>
#include <vector>

#include "base/status.h"

namespace ravel {

struct LimitedRun {
  std::vector<std::string> words;
  std::vector<std::string> environment;  // "NAME=value": in place of what the caller has under that name
  std::chrono::nanoseconds timeout = std::chrono::seconds(10);
  const std::atomic<bool>* interrupted = nullptr;
};

struct LimitedEnd {
  int wait_status = 0;
  std::string output;  // standard output and error as they came
  bool timed_out = false;
  bool interrupted = false;
};

// Trouble only when it cannot be started.
Result<LimitedEnd> run_limited(const LimitedRun& run);

}  // namespace ravel

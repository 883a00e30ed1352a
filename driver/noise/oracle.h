// SPDX-License-Identifier: Apache-2.0
// Oracle: a command of the user that judges each run: it reads the run's output on its stdin, finds the program's exit
// code in RAVEL_EXIT_CODE (128 + signal when it died of one), and ends with 0 when the run was right.
//
// Who calls it: NoiseCampaign, from the thread that made the run. Thread safety: runs are independent.
#pragma once

#include <atomic>
#include <chrono>
#include <string>
#include <string_view>

#include "base/status.h"

namespace ravel {

struct Verdict {
  bool passed = true;
  std::string message;  // when it did not pass: how the oracle ended
  std::string said;     // what the oracle wrote, its end only
};

// The trouble: the command cannot be started.
Result<Verdict> ask_oracle(const std::string& command, std::string_view output, int wait_status,
                           std::chrono::nanoseconds timeout, const std::atomic<bool>* interrupted);

}  // namespace ravel

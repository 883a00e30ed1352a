// SPDX-License-Identifier: Apache-2.0
// ask_oracle(): runs a command of the user's that judges a run: it reads the run's output on its stdin, finds the
// program's exit code in RAVEL_EXIT_CODE (128 + signal if it died of one), and exits with 0 when the run was right.
//
// Who calls it: NoiseCampaign, from the thread that performed the run. Thread safety: calls are independent.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "base/status.h"
#include "driver/process/deadline.h"

namespace ravel {

struct Verdict {
  bool passed = true;
  std::string message;  // if it did not pass: how the oracle ended
  std::string said;     // the end of what the oracle wrote
};

// An error when the command cannot be started.
Result<Verdict> ask_oracle(const std::string& command, std::string_view output, int wait_status,
                           std::chrono::nanoseconds timeout, const Deadline& deadline);

}  // namespace ravel

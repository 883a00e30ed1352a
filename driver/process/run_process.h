// SPDX-License-Identifier: Apache-2.0
// run_process(): runs a program to its end, or to a time limit, and keeps what it writes: compilers, the analyzer, git,
// other detectors, the user's oracle. Thread safety: no state.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "driver/process/deadline.h"
#include "driver/process/process.h"

namespace ravel {

struct RunSettings {
  std::string_view input;              // what it reads from standard input
  bool errors = false;                 // keep standard error too, interleaved; otherwise it is discarded
  std::size_t output_head = SIZE_MAX;  // bytes of output kept from the beginning (OutputCapture)
  std::optional<std::chrono::nanoseconds> timeout;
  Deadline deadline;  // of the command: the run ends early when it comes
};

struct RunEnd {
  int code() const { return exit_code(wait_status); }

  int wait_status = 0;
  std::string output;
  bool timed_out = false;  // it was killed for exceeding the limit
  bool cut = false;        // it was killed because the deadline had come
};

// The settings determine its standard streams. An error only when it cannot be started.
Result<RunEnd> run_process(ProcessOrder order, const RunSettings& settings);
Result<RunEnd> run_process(std::vector<std::string> words, std::string_view input = {}, const Deadline& deadline = {});

}  // namespace ravel

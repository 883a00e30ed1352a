// SPDX-License-Identifier: Apache-2.0
// pin_schedule(): what `ravel pin` does, for it and for `ravel reproduce`, which writes a race test of what it found.
//
// Goes to the schedule's directory, as `ravel replay` does: relative names are those of before. Thread safety: none.
#pragma once

#include <chrono>
#include <string>

#include "base/status.h"
#include "driver/cli/console.h"
#include "driver/pin/pinning.h"
#include "driver/target/target.h"

namespace ravel {

struct PinCommandOptions {
  std::string schedule;
  std::string tests = "tests/races";
  std::string name;
  std::string compile_commands;
  unsigned repeats = PinOptions{}.repeats;
  std::string link;
  bool build = false;
  std::chrono::nanoseconds time = std::chrono::minutes(10);
  std::chrono::nanoseconds timeout = TargetSettings{}.timeout;
  OutputOptions output;
};

// The exit code of `ravel pin`.
Result<int> pin_schedule(PinCommandOptions options, Console& console);

}  // namespace ravel

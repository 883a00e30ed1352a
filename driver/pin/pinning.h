// SPDX-License-Identifier: Apache-2.0
// pin(): from a failing schedule to a race test that forces its order. The failing execution is shrunk and its order is
// expressed in places of the sources; tests that force some of it are woven into a copy of the program and tried; the
// result is the one with the fewest actions that fails every time.
//
// Who calls it: `ravel pin`. Thread safety: as Replay: one thread. Nothing outside PinOptions::work is written.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "driver/pin/failing_order.h"
#include "driver/process/deadline.h"
#include "driver/race_tests/race_test.h"
#include "driver/race_tests/test_run.h"
#include "driver/replay/replay.h"
#include "driver/sources/compile_commands.h"

namespace ravel {

struct PinOptions {
  std::string name;                    // of the test
  std::filesystem::path tests;         // where it will be written
  std::string program;                 // the executable of the schedule
  std::vector<std::string> arguments;  // its arguments
  std::filesystem::path work;          // directory for copies and programs; exists
  std::string analyzer;                // ravel-analyzer
  std::string include;                 // directory of ravel/sync.h
  std::string sync_library;            // libravel_sync.a
  std::string ravel;                   // this program
  std::vector<std::string> link;       // more words for linking
  unsigned repeats = 100;              // of the last verification
  std::chrono::nanoseconds timeout = std::chrono::seconds(10);
  Deadline deadline;
  std::function<void(const std::string&)> progress;  // one line; may be empty
};

struct PinResult {
  std::optional<RaceTest> test;  // nullopt: `why` says what could not be forced
  TestRunResult verified;
  std::string program;  // with the test woven into it, in PinOptions::work
  std::string list;     // and its list of tests
  std::string finding;  // one sentence
  unsigned tried = 0;   // tests
  bool cut = false;     // the deadline came before a test was found
  std::string why;
};

// `replay`: of the schedule; `shrunk`: its result. `commands`: of the program's sources.
Result<PinResult> pin(Replay& replay, const ShrunkFinding& shrunk, const CompileCommands& commands,
                      const PinOptions& options);

}  // namespace ravel

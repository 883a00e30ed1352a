// SPDX-License-Identifier: Apache-2.0
// weave(): puts the actions of race tests into copies of the sources. The sources themselves are never written.
//
// In the output directory a copy has its own absolute path, so that files that include each other find the copies:
// OUT/home/me/src/list.cpp. Next to them, compile_commands.json says how the copies are compiled, and race-tests.json
// lists the tests, with the places of their actions and of the race they expect (woven_tests.h reads it).
//
// Who calls it: `ravel weave` and `ravel pin`. Thread safety: none.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/status.h"
#include "driver/process/deadline.h"
#include "driver/race_tests/race_test.h"
#include "driver/sources/compile_commands.h"

namespace ravel {

struct WeaveOptions {
  std::filesystem::path out;
  std::string prefix = "ravel:";  // of comments that are points
  std::string analyzer;           // ravel-analyzer
  std::string include;            // directory of ravel/sync.h
  Deadline deadline;
};

// Where an action went.
struct WovenAction {
  std::string test;
  std::string origin;  // "race.txt:4"
  std::filesystem::path file;
  unsigned line = 0;
  std::string function;
};

struct WeaveResult {
  std::vector<std::filesystem::path> sources;  // that have a copy, each once
  std::vector<WovenAction> actions;
};

// The error names everything that is wrong with the tests, one sentence each; nothing is left half-written then.
Result<WeaveResult> weave(const std::vector<RaceTest>& tests, const CompileCommands& commands,
                          const WeaveOptions& options);

// The directory of headers and libravel_sync.a that belong to this driver.
Result<std::string> find_headers();
Result<std::string> find_sync_library();

}  // namespace ravel

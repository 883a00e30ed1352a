// SPDX-License-Identifier: Apache-2.0
// The files of `ravel pin`: what it looks for, and the test it writes. Thread safety: no state.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/status.h"
#include "driver/pin/pinning.h"
#include "driver/race_tests/race_test.h"
#include "driver/sources/compile_commands.h"

namespace ravel {

// "bank_assertion".
std::string test_name(const std::string& program, FindingKind kind);

// An error when the name is not valid, or when the directory exists.
Status check_free(const std::filesystem::path& directory, const std::string& name);

// An error when leave_program() would find something in its place.
Status check_program_free(const std::filesystem::path& file);

// As typed; or compile_commands.json in `directory`, or next to the program; or none.
Result<std::optional<CompileCommands>> find_compile_commands(const std::string& typed,
                                                             const std::filesystem::path& directory,
                                                             const std::string& program);

struct PinnedFiles {
  std::filesystem::path directory;
  RaceTest test;
  std::string finding;
  std::filesystem::path schedule;
};

// race.txt and test.cpp. Leaves nothing behind when it fails.
Status write_pinned_test(const PinnedFiles& files);

// The program that the test was verified with, and its list of tests, for `ravel test`. An error when there is one.
Status leave_program(const PinResult& result, const std::filesystem::path& file);

// What `ravel pin --json` writes.
std::string json_of_pin(const PinResult& result, const std::string& schedule);

// What the user does next. `built`: leave_program() left ./NAME.
std::string next_commands(const std::filesystem::path& tests, const std::string& name, const std::string& program,
                          bool built);

}  // namespace ravel

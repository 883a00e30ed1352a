// SPDX-License-Identifier: Apache-2.0
// WovenTest: a race test as weaving left it in race-tests.json, with every place found. Running tests takes no analyzer
// and no sources.
//
// Written by weaving.h; read by `ravel test` and `ravel pin`. Plain data. Thread safety: no state.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/status.h"
#include "driver/race_tests/race_test.h"

namespace ravel {

// A place that weaving found: the statement of a point.
struct FoundPlace {
  std::string text;  // the point, as written in race.txt
  std::filesystem::path file;
  unsigned line = 0;       // first line of the statement
  unsigned last_line = 0;  // and its last
  std::string function;
  unsigned function_line = 0;  // of its definition; 0: unknown
  unsigned function_last_line = 0;
};

struct WovenTest {
  std::string name;
  std::filesystem::path file;           // race.txt
  std::vector<std::string> arguments;   // `run`: what the program gets after its own arguments
  std::optional<FindingKind> expected;  // nullopt: the test's own assertions decide
  std::vector<FoundPlace> racing;       // expect race at A and B: both; else empty
  std::vector<FoundPlace> actions;
};

// The list of woven tests, in the directory of the copies.
inline constexpr const char* kWovenList = "race-tests.json";

// And next to a program: PROGRAM.race-tests.json.
inline std::filesystem::path list_beside(const std::filesystem::path& program) {
  return program.string() + "." + kWovenList;
}

// Either of them.
Result<std::vector<WovenTest>> read_woven_tests(const std::filesystem::path& list);

}  // namespace ravel

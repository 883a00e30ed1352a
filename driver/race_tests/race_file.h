// SPDX-License-Identifier: Apache-2.0
// Reads and writes race.txt, the file of a race test. The format: docs/design/0005-race-tests.md.
//
// Every mistake is reported in one sentence that begins with file and line and says what to write instead. Pure
// functions but for the file system.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "driver/race_tests/race_test.h"

namespace ravel {

inline constexpr const char* kRaceFileName = "race.txt";

// `file`: for messages and RaceTest::file. `directory_name`: the name of a test that has none of its own.
Result<RaceTest> parse_race_test(std::string_view text, const std::filesystem::path& file,
                                 std::string_view directory_name);

// The test of one directory: its race.txt and the names of its sources.
Result<RaceTest> read_race_test(const std::filesystem::path& directory);

// Every test in `directory` and the directories below it, sorted by path. An error when two have the same name, or when
// there is none.
Result<std::vector<RaceTest>> read_race_tests(const std::filesystem::path& directory);

// Checks that tests which were read one by one have different names.
Status check_names(const std::vector<RaceTest>& tests);

// In the reader's notation: "list.cpp List::add call 2 of push_back", a line with an action, a whole file.
std::string point_text(const Point& point);
std::string action_text(const Action& action);
std::string race_file_text(const RaceTest& test);

}  // namespace ravel

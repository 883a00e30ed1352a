// SPDX-License-Identifier: Apache-2.0
// Which race tests a change of the sources is about, by git: those that have a point in a function that changed, whose
// shared variable stands in a changed line, or whose own files changed. A hint for the order of tests: a race may also
// come from elsewhere, so nobody leaves the others out.
//
// Who calls it: `ravel test --changed`. Thread safety: no state.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "driver/race_tests/woven_tests.h"

namespace ravel {

// Lines of one file that are new or were taken out.
struct ChangedLines {
  std::filesystem::path file;  // absolute; of a file that was renamed, its new name
  unsigned first = 0;          // as the file is now; where lines were only taken out: those around
  unsigned last = 0;           // a file that git does not know yet has changed as a whole
  std::string text;            // the lines, old and new

  friend bool operator==(const ChangedLines&, const ChangedLines&) = default;
};

// The text of `git diff -U0 --no-prefix`; names of files are below `root`.
std::vector<ChangedLines> parse_diff(std::string_view text, const std::filesystem::path& root);

// What the working tree of the repository around `directory` has changed since `revision`.
Result<std::vector<ChangedLines>> changes_since(const std::string& revision, const std::filesystem::path& directory);

// One sentence without a full stop; empty: the changes say nothing about the test.
std::string reason_to_run_first(const WovenTest& test, const std::vector<ChangedLines>& changes);

}  // namespace ravel

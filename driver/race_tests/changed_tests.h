// SPDX-License-Identifier: Apache-2.0
// Which race tests a change of the sources affects, according to git: those that have a point in a function that
// changed, whose shared variable is in a changed line, or whose own files changed. A hint for the order of tests: a
// race may also come from elsewhere, so the other tests are not left out.
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

// Lines of one file that are new or were removed.
struct ChangedLines {
  std::filesystem::path file;  // absolute; the new name of a file that was renamed
  unsigned first = 0;          // in the current file; where lines were only removed: those around them
  unsigned last = 0;           // a file that git does not track has changed as a whole
  std::string text;            // the lines, old and new

  friend bool operator==(const ChangedLines&, const ChangedLines&) = default;
};

// Parses the output of `git diff -U0 --no-prefix`; file names are relative to `root`.
std::vector<ChangedLines> parse_diff(std::string_view text, const std::filesystem::path& root);

// What has changed in the working tree of the repository around `directory` since `revision`.
Result<std::vector<ChangedLines>> changes_since(const std::string& revision, const std::filesystem::path& directory);

// One sentence without a full stop; empty: the changes do not concern the test.
std::string reason_to_run_first(const WovenTest& test, const std::vector<ChangedLines>& changes);

}  // namespace ravel

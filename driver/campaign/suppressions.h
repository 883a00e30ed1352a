// SPDX-License-Identifier: Apache-2.0
// Suppressions: the findings that the user does not want reported, from files in ThreadSanitizer's format.
//
// One rule per line, `TYPE:PATTERN`; empty lines and lines that begin with # are ignored. In a pattern `*` stands for
// anything, `^` at its start and `$` at its end anchor it; otherwise it may match anywhere in the name. What each type
// applies to, and which names it looks at:
//   race             data-race, use-after-free: functions, files and modules of all frames of both accesses and of the
//                    places where their tasks were created; the name of the variable
//   race_top         the same findings: the innermost frame of either access
//   mutex            lock-misuse: all frames
//   deadlock         deadlocks, met or possible: all frames, and where the locks they hold were taken
//   called_from_lib  all of these and the other heap findings: the module of the innermost frame, or the library that
//                    may have ordered an unclear race
//   thread, signal   leaked threads and signal-unsafe calls, which Ravel does not report: accepted, without effect
//
// Who calls it: the command line (load), Worker (match). Thread safety: match() is const and has no state.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "reports/finding_report.h"

namespace ravel {

enum class SuppressionType : std::uint8_t { race, race_top, mutex, deadlock, called_from_lib, thread, signal };

struct SuppressionRule {
  SuppressionType type = SuppressionType::race;
  std::string pattern;
  std::string file;  // as the user named it
  std::uint32_t line = 0;
  std::size_t index = 0;  // among all rules

  std::string text() const;  // "race:deposit"
};

// A file of rules, and who named it: the advice when it is missing depends on that.
struct SuppressionSource {
  std::string path;
  bool from_environment = false;
};

class Suppressions {
 public:
  Suppressions() = default;

  // Like ThreadSanitizer, also tries a relative path that does not exist from the program's folder.
  static Result<Suppressions> load(const std::vector<SuppressionSource>& sources, const std::string& program);

  // The first rule that matches the finding, or nullptr.
  const SuppressionRule* match(const ResolvedFinding& finding) const;

  const std::vector<SuppressionRule>& rules() const { return rules_; }

 private:
  Status add(std::string_view text, const std::string& file);

  std::vector<SuppressionRule> rules_;
};

// The suppressions file named in a value of TSAN_OPTIONS; empty when it names none.
std::string suppressions_in_options(std::string_view options);

// Whether `name` matches a pattern of a suppressions file.
bool pattern_matches(std::string_view pattern, std::string_view name);

}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
// Suppressions: which findings the user does not want to hear of, from files as ThreadSanitizer reads them.
//
// One rule per line, `TYPE:PATTERN`; a line that begins with # and an empty line say nothing. In a pattern `*` stands
// for anything, `^` at its start and `$` at its end tie it to the start and the end; otherwise it may stand anywhere in
// the name. What a type applies to, and which names it looks at:
//   race             data-race, use-after-free: functions, files and modules of all frames of both accesses and of the
//                    places where their tasks were created; the name of the variable
//   race_top         the same findings: the innermost frame of either access
//   mutex            lock-misuse: all frames
//   deadlock         deadlocks, met or possible: all frames, and where the locks they hold were taken
//   called_from_lib  all of these and the other heap findings: the module of the innermost frame
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

// A file of rules, and who named it: the advice about a missing one depends on it.
struct SuppressionSource {
  std::string path;
  bool from_environment = false;
};

class Suppressions {
 public:
  Suppressions() = default;

  // As ThreadSanitizer does, a relative path that leads nowhere is tried from the folder of the program too.
  static Result<Suppressions> load(const std::vector<SuppressionSource>& sources, const std::string& program);

  // The first rule that covers the finding, or nullptr.
  const SuppressionRule* match(const ResolvedFinding& finding) const;

  const std::vector<SuppressionRule>& rules() const { return rules_; }

 private:
  Status add(std::string_view text, const std::string& file);

  std::vector<SuppressionRule> rules_;
};

// The file that a value of TSAN_OPTIONS names; empty when it names none.
std::string suppressions_in_options(std::string_view options);

// Whether `name` fits a pattern of a suppression file.
bool pattern_matches(std::string_view pattern, std::string_view name);

}  // namespace ravel

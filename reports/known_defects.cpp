// SPDX-License-Identifier: Apache-2.0
#include "reports/known_defects.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

namespace ravel {
namespace {

struct KnownDefect {
  FindingKind kind;
  FindingKind other_kind;
  std::string_view function;
  unsigned mended;
  const char* sentence;
};
constexpr KnownDefect kDefects[] = {
#define RAVEL_KNOWN_DEFECT(kind, other_kind, function, mended, sentence) \
  {FindingKind::kind, FindingKind::other_kind, function, mended, sentence},
#include "reports/known_defects.def"
#undef RAVEL_KNOWN_DEFECT
};

// The version of GCC a header of libstdc++ belongs to, by its folder; 0 when that does not tell.
unsigned version_of(std::string_view file) {
  constexpr std::string_view kFolder = "/include/c++/";
  const std::size_t at = file.find(kFolder);
  unsigned version = 0;
  if (at == std::string_view::npos) return version;
  const char* const number = file.data() + at + kFolder.size();
  std::from_chars(number, file.data() + file.size(), version);
  return version;
}

bool runs(const ResolvedStack& stack, const KnownDefect& defect) {
  return std::any_of(stack.whole.begin(), stack.whole.end(), [&](const Frame& frame) {
    return frame.function.find(defect.function) != std::string::npos && version_of(frame.file) < defect.mended;
  });
}

bool is_shown_by(const ResolvedFinding& finding, const KnownDefect& defect) {
  if (finding.kind != defect.kind && finding.kind != defect.other_kind) return false;
  const auto runs_it = [&](const ResolvedStack& stack) { return runs(stack, defect); };
  return finding.kind == FindingKind::data_race
             ? finding.stacks.size() == 2 && std::all_of(finding.stacks.begin(), finding.stacks.end(), runs_it)
             : std::any_of(finding.stacks.begin(), finding.stacks.end(), runs_it);
}

}  // namespace

std::string known_defect(const ResolvedFinding& finding) {
  for (const KnownDefect& defect : kDefects) {
    if (!is_shown_by(finding, defect)) continue;
    return fmt::format("{} known defect of libstdc++ before GCC {}: {}",
                       finding.kind == FindingKind::data_race ? "this is a" : "this may be a", defect.mended,
                       defect.sentence);
  }
  return {};
}

}  // namespace ravel

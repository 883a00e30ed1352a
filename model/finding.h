// SPDX-License-Identifier: Apache-2.0
// FindingKind: the closed list of facts Ravel states about the user's program.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace ravel {

enum class FindingKind : std::uint8_t {
#define RAVEL_FINDING(enumerator, name, sentence) enumerator,
#include "model/finding.def"
#undef RAVEL_FINDING
};

inline constexpr unsigned kFindingKinds = 0
#define RAVEL_FINDING(enumerator, name, sentence) +1
#include "model/finding.def"
#undef RAVEL_FINDING
    ;

constexpr const char* finding_name(FindingKind kind) {
  constexpr const char* kNames[] = {
#define RAVEL_FINDING(enumerator, name, sentence) name,
#include "model/finding.def"
#undef RAVEL_FINDING
  };
  return kNames[static_cast<unsigned>(kind)];
}

constexpr const char* finding_sentence(FindingKind kind) {
  constexpr const char* kSentences[] = {
#define RAVEL_FINDING(enumerator, name, sentence) sentence,
#include "model/finding.def"
#undef RAVEL_FINDING
  };
  return kSentences[static_cast<unsigned>(kind)];
}

constexpr std::optional<FindingKind> finding_from_name(std::string_view name) {
  for (unsigned i = 0; i < kFindingKinds; ++i) {
    if (name == finding_name(static_cast<FindingKind>(i))) return static_cast<FindingKind>(i);
  }
  return std::nullopt;
}

}  // namespace ravel

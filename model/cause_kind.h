// SPDX-License-Identifier: Apache-2.0
// CauseKind: what it is about the two operations of a cause that decides between failing and passing.
#pragma once

#include <cstdint>

namespace ravel {

enum class CauseKind : std::uint8_t {
#define RAVEL_CAUSE(enumerator, name) enumerator,
#include "model/cause_kind.def"
#undef RAVEL_CAUSE
};

constexpr const char* cause_kind_name(CauseKind kind) {
  constexpr const char* kNames[] = {
#define RAVEL_CAUSE(enumerator, name) name,
#include "model/cause_kind.def"
#undef RAVEL_CAUSE
  };
  return kNames[static_cast<unsigned>(kind)];
}

}  // namespace ravel

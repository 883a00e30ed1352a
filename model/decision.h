// SPDX-License-Identifier: Apache-2.0
// DecisionRun: one entry of the list of decisions that IS an execution. Consecutive equal task decisions share one.
#pragma once

#include <cstdint>

#include "base/ids.h"

namespace ravel {

enum class DecisionKind : std::uint8_t {
  task,         // value: which task performs its pending operation; count: for how many steps in a row
  reads_from,   // value: which store; 0 is the newest
  environment,  // value: which option; detail: EnvironmentKind
};

enum class EnvironmentKind : std::uint8_t {
#define RAVEL_ENVIRONMENT(enumerator, name, quiet) enumerator,
#include "model/environment.def"
#undef RAVEL_ENVIRONMENT
};

inline constexpr unsigned kEnvironmentKinds = 0
#define RAVEL_ENVIRONMENT(enumerator, name, quiet) +1
#include "model/environment.def"
#undef RAVEL_ENVIRONMENT
    ;

constexpr const char* environment_name(EnvironmentKind kind) {
  constexpr const char* kNames[] = {
#define RAVEL_ENVIRONMENT(enumerator, name, quiet) name,
#include "model/environment.def"
#undef RAVEL_ENVIRONMENT
  };
  return kNames[static_cast<unsigned>(kind)];
}

constexpr bool environment_is_quiet(EnvironmentKind kind) {
  constexpr bool kQuiet[] = {
#define RAVEL_ENVIRONMENT(enumerator, name, quiet) quiet,
#include "model/environment.def"
#undef RAVEL_ENVIRONMENT
  };
  return kQuiet[static_cast<unsigned>(kind)];
}

// Twelve bytes, written in place in shared memory: incrementing count extends a run.
struct DecisionRun {
  DecisionKind kind = DecisionKind::task;
  EnvironmentKind detail = EnvironmentKind::spurious_wakeup;
  std::uint16_t reserved = 0;
  std::uint32_t value = 0;
  std::uint32_t count = 1;  // > 1 only for task decisions

  friend constexpr bool operator==(const DecisionRun&, const DecisionRun&) = default;
};

}  // namespace ravel

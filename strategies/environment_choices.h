// SPDX-License-Identifier: Apache-2.0
// EnvironmentChoices: how our strategies answer environment choices: unusual events rarely, normal ones evenly.
// Choosers hold one; planners draw how rare "rarely" is.
//
// It has its own generator, so that what the program asks of its environment does not shift the choices of tasks.
#pragma once

#include <cstdint>

#include "base/random.h"
#include "model/decision.h"
#include "model/plan.h"
#include "strategies/rare_events.h"

namespace ravel {

class EnvironmentChoices {
 public:
  constexpr EnvironmentChoices() = default;

  void begin(const Plan& plan) { rare_.begin(hash_mix(plan.seed, 0x656e7669726f6eULL), plan.environment_power); }

  std::uint32_t choose(EnvironmentKind kind, std::uint32_t options) {
    if (!environment_is_quiet(kind)) return rare_.below(options);
    if (!rare_.strikes()) return 0;
    return 1 + rare_.below(options - 1);
  }

 private:
  RareEvents rare_;
};

#ifndef RAVEL_IN_TARGET
// Three executions in four are quiet: an unusual event can save a program from the deadlock it is about to show, and
// many of them hide the effect of the schedule. The fourth has unusual events, from one in 16 to one in 4096
// opportunities.
inline std::uint8_t draw_environment_power(Random& random) {
  if (random.below(4) != 0) return kQuietEnvironment;
  return static_cast<std::uint8_t>(4 + random.below(9));
}
#endif

}  // namespace ravel

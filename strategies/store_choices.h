// SPDX-License-Identifier: Apache-2.0
// StoreChoices: how our strategies choose which store an atomic operation sees: normally the newest, an older one once
// in 2^stale_power. Choosers hold one; planners draw the power.
//
// It has its own generator, so that weak memory does not shift the choices of tasks.
#pragma once

#include <cstdint>

#include "base/random.h"
#include "model/plan.h"
#include "strategies/rare_events.h"

namespace ravel {

class StoreChoices {
 public:
  constexpr StoreChoices() = default;

  void begin(const Plan& plan) { rare_.begin(hash_mix(plan.seed, 0x73746f726573ULL), plan.stale_power); }

  // Uniform among the older ones; every fourth time the oldest, which programs are least prepared for.
  std::uint32_t choose(std::uint32_t options) {
    if (!rare_.strikes()) return 0;
    if (options > 2 && rare_.below(4) == 0) return options - 1;
    return 1 + rare_.below(options - 1);
  }

 private:
  RareEvents rare_;
};

#ifndef RAVEL_IN_TARGET
// Half of the executions show only the newest store: most bugs need no weak memory, and are found sooner without it.
// The others show older ones, from every second opportunity to one in 64.
inline std::uint8_t draw_stale_power(Random& random) {
  if (random.below(2) == 0) return kQuietEnvironment;
  return static_cast<std::uint8_t>(1 + random.below(6));
}
#endif

}  // namespace ravel

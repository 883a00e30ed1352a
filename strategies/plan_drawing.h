// SPDX-License-Identifier: Apache-2.0
// What all planners draw in the same way. Driver side; the order of the draws is part of what a seed means.
#pragma once

#ifndef RAVEL_IN_TARGET
#include <cstdint>

#include "base/random.h"
#include "model/plan.h"
#include "strategies/environment_choices.h"
#include "strategies/store_choices.h"

namespace ravel {

// After how many unchanged rounds (2^n) a loop counts as spinning. Usually soon; sometimes late, so that loops that
// give up by themselves and take another path (adaptive locks) get there while others can still run.
inline std::uint8_t draw_spin_power(Random& random) {
  constexpr std::uint8_t kPowers[] = {4, 4, 4, 2, 3, 6, 8, 10};
  return kPowers[random.below(sizeof kPowers)];
}

// A generator for the plan of one execution: from campaign seed and index alone, so that the n-th plan draws the same
// numbers whichever worker asks for it.
inline Random plan_random(std::uint64_t seed, std::uint64_t execution) {
  return Random(hash_mix(hash_mix(0, seed), execution));
}

// First: what every plan has.
inline Plan begin_plan(StrategyKind strategy, Random& random) {
  Plan plan;
  plan.strategy = strategy;
  plan.seed = random.next();
  return plan;
}

// Last, after the strategy's own draws: how often unusual things happen in this execution.
inline void draw_the_unusual(Plan& plan, Random& random) {
  plan.environment_power = draw_environment_power(random);
  plan.spin_power = draw_spin_power(random);
  plan.stale_power = draw_stale_power(random);
}

}  // namespace ravel
#endif

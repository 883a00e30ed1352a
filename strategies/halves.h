// SPDX-License-Identifier: Apache-2.0
// The halves of each strategy, as registry.cpp lists them. Nothing else includes this.
#pragma once

#include <ravel/strategy.h>

#ifndef RAVEL_IN_TARGET
#include <cstdint>
#include <memory>

#include "base/random.h"
#endif

namespace ravel {

Chooser& sequential_chooser();
Chooser& random_chooser();
Chooser& pct_chooser();
Chooser& pos_chooser();

#ifndef RAVEL_IN_TARGET
std::unique_ptr<Planner> make_sequential_planner(std::uint64_t seed);
std::unique_ptr<Planner> make_random_planner(std::uint64_t seed);
std::unique_ptr<Planner> make_pct_planner(std::uint64_t seed);
std::unique_ptr<Planner> make_pos_planner(std::uint64_t seed);
std::unique_ptr<Planner> make_auto_planner(std::uint64_t seed);

// A generator for the plan of one execution: from campaign seed and index alone, so that the n-th plan draws the same
// numbers whichever worker asks for it.
inline Random plan_random(std::uint64_t seed, std::uint64_t execution) {
  return Random(hash_mix(hash_mix(0, seed), execution));
}

// After how many unchanged rounds (2^n) a loop counts as spinning. Usually soon; now and then late, so that loops which
// give up by themselves and go another way (adaptive locks) get there while others can still run.
inline std::uint8_t draw_spin_power(Random& random) {
  constexpr std::uint8_t kPowers[] = {4, 4, 4, 2, 3, 6, 8, 10};
  return kPowers[random.below(sizeof kPowers)];
}
#endif

}  // namespace ravel

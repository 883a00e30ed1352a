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
Chooser& surw_chooser();
Chooser& rff_chooser();
Chooser& dfs_chooser();
Chooser& dpor_chooser();
Chooser& follow_chooser();

#ifndef RAVEL_IN_TARGET
std::unique_ptr<Planner> make_sequential_planner(std::uint64_t seed);
std::unique_ptr<Planner> make_random_planner(std::uint64_t seed);
std::unique_ptr<Planner> make_pct_planner(std::uint64_t seed);
std::unique_ptr<Planner> make_pos_planner(std::uint64_t seed);
std::unique_ptr<Planner> make_surw_planner(std::uint64_t seed);
std::unique_ptr<Planner> make_rff_planner(std::uint64_t seed);
std::unique_ptr<Planner> make_dfs_planner(std::uint64_t seed);
std::unique_ptr<Planner> make_dpor_planner(std::uint64_t seed);
std::unique_ptr<Planner> make_auto_planner(std::uint64_t seed);

// A generator for the plan of one execution: from campaign seed and index alone, so that the n-th plan draws the same
// numbers whichever worker asks for it.
inline Random plan_random(std::uint64_t seed, std::uint64_t execution) {
  return Random(hash_mix(hash_mix(0, seed), execution));
}
#endif

}  // namespace ravel

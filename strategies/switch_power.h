// SPDX-License-Identifier: Apache-2.0
// The parameter `switch` of random, surw and follow: the probability, as 1/2^n, of continuing with another task than
// usual.
#pragma once

#include <algorithm>

#include "base/random.h"
#include "model/plan.h"

namespace ravel {

// For Random::one_in_power_of_two.
inline unsigned switch_power(const Plan& plan) {
  return static_cast<unsigned>(std::min<std::uint64_t>(plan.parameter("switch"), 63));
}

#ifndef RAVEL_IN_TARGET
// {1/2, 1/4, ... 1/4096}.
inline void draw_switch_power(Plan& plan, Random& random) { plan.set_parameter("switch", 1 + random.below(12)); }
#endif

}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
// Turns an order of the operations of an execution into directions for a run without preemption
// (strategies/directions.h).
#pragma once

#include <cstdint>
#include <vector>

#include "driver/futures/observed_execution.h"
#include "strategies/directions.h"

namespace ravel {

std::vector<std::uint64_t> directions_for(const ObservedExecution& seen, const std::vector<std::size_t>& order);

// The same words with one more direction.
std::vector<std::uint64_t> with_direction(const std::vector<std::uint64_t>& words, const Direction& added);

}  // namespace ravel

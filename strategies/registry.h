// SPDX-License-Identifier: Apache-2.0
// The list of strategies: where the engine gets its chooser and a campaign its planner. Both come from
// model/strategy.def: adding a strategy means a row there and a file here (docs/how-to/add-a-strategy.md).
#pragma once

#include <ravel/strategy.h>

#ifndef RAVEL_IN_TARGET
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#endif

namespace ravel {

// Target side. One object per strategy in static memory; its begin() prepares it for the next execution.
Chooser& chooser_for(StrategyKind kind);

// For a whole plan: the strategy's own chooser, wrapped in one that holds tasks back where the plan says so.
Chooser& chooser_for(const Plan& plan);

#ifndef RAVEL_IN_TARGET
struct StrategyDescription {
  const char* name;      // for --strategy
  const char* sentence;  // for help
};

// Driver side. Every name that make_planner accepts.
std::span<const StrategyDescription> list_strategies();

// nullptr when there is no strategy of that name.
std::unique_ptr<Planner> make_planner(std::string_view name, std::uint64_t seed);
#endif

}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
// explore_in_place(): from a whole program to the interleavings of pairs of its calls. A first look finds the functions
// that it runs; a campaign under an InPlacePlanner then finds out which of their calls can run at the same time, and
// explores those. Findings take the way of every campaign: confirmed, saved, explained.
//
// Who calls it: `ravel generate --in-place`. Thread safety: no state; the observer is called as Campaign calls it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"
#include "driver/campaign/campaign.h"
#include "driver/generate/in_place_planner.h"

namespace ravel {

// A function of the program's own sources that was called after its first thread had been created.
struct CalledFunction {
  std::string name;  // "Account::deposit(int)"
  std::string file;
  std::uint32_t line = 0;
};

using FunctionPair = std::pair<std::string, std::string>;  // names, in alphabetical order

// What was done about two functions.
struct PairOutcome {
  std::uint64_t contexts = 0;  // different paths and conflicts
  std::uint64_t executions = 0;
  std::uint64_t orders = 0;
  bool complete = true;
  std::vector<std::uint32_t> findings;  // ids of those whose two sides are in these functions
};

struct Generation {
  CampaignEnd end;
  std::vector<CalledFunction> functions;  // by name
  std::map<FunctionPair, PairOutcome> pairs;
  std::size_t left = 0;  // pairs of calls that were found and not explored
  std::uint64_t recordings = 0;
  bool whole_recordings = true;  // none had more steps or tasks than are looked at; a note tells otherwise

  // Those that can run at the same time as another, or as themselves.
  std::set<std::string> parallel_functions() const;
};

// The functions in which the two sides of a finding are; none when it has no two sides, or one is elsewhere.
std::optional<FunctionPair> functions_of(const ResolvedFinding& finding, const std::set<std::string>& names);

Result<Generation> explore_in_place(CampaignOptions campaign, const InPlaceOptions& options,
                                    CampaignObserver& observer);

}  // namespace ravel

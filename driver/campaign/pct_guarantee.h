// SPDX-License-Identifier: Apache-2.0
// PctGuarantee: what the pct executions of a campaign that found nothing say about bugs that may remain. Burckhardt et
// al. (ASPLOS 2010): one execution with n tasks and change points drawn from K steps finds a bug of depth d with
// probability at least 1/(n * K^(d-1)), if the bug's change points lie within these K steps. Executions are independent
// given their plans, so the probabilities of missing it multiply.
//
// Used by CampaignState under its lock. docs/strategies/pct.md says what the numbers promise and what they do not.
//
// Invariants:
//  1. Only executions for which the theorem holds are added. Leaving one out is always safe: it only weakens the claim.
//  2. The claim for depth d is about bugs whose change points lie within the first `steps` steps, and only executions
//     that drew from at least that many count. The choice of `steps` may therefore depend on what was seen.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <vector>

#include "reports/campaign_result.h"

namespace ravel {

class PctGuarantee {
 public:
  // One execution that ran as planned: its depth, and from how many steps its change points were drawn.
  void add(std::uint32_t depth, std::uint64_t range) {
    if (depth > 0 && range > 0) ++ranges_[depth][depth == 1 ? 0 : range];
  }

  // More scheduling points are known than before: earlier executions could not switch there.
  void forget() { ranges_.clear(); }

  // `tasks`: the most that any execution of the campaign had.
  std::vector<PctBound> bounds(std::uint32_t tasks) const {
    std::vector<PctBound> result;
    for (const auto& [depth, ranges] : ranges_) result.push_back(bound(depth, ranges, std::max(tasks, 1U)));
    return result;
  }

 private:
  using Ranges = std::map<std::uint64_t, std::uint64_t>;  // range -> executions

  static PctBound bound(std::uint32_t depth, const Ranges& ranges, std::uint32_t tasks) {
    // The longest range that at least nine executions in ten had. Using the range that all had would let one early
    // execution, planned when little was known of the program, decide how far the claim reaches.
    std::uint64_t all = 0;
    for (const auto& [range, executions] : ranges) all += executions;
    PctBound result;
    result.depth = depth;
    result.tasks = tasks;
    double log_missed = 0;
    for (auto entry = ranges.rbegin(); entry != ranges.rend() && result.executions * 10 < all * 9; ++entry) {
      const auto& [range, executions] = *entry;
      result.steps = range;
      result.executions += executions;
      const double one_in = tasks * std::pow(static_cast<double>(range), depth - 1);
      log_missed += static_cast<double>(executions) * std::log1p(-1 / one_in);
    }
    result.found_probability = -std::expm1(log_missed);
    return result;
  }

  std::map<std::uint32_t, Ranges> ranges_;  // by depth
};

}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
// ExhaustiveFirst: the planner of ravel::explore. A body of a unit test is small: often every schedule of it can be
// explored. dpor begins, with a share of the budget; if it does not get through, the portfolio `auto` uses the rest.
//
// Who calls it: the command `explore`, as CampaignOptions::planner. Thread safety: as every planner.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>

#include <ravel/strategy.h>

namespace ravel {

// How the executions of a campaign were divided.
struct BudgetUse {
  std::uint64_t exhaustive = 0;  // by dpor
  std::uint64_t portfolio = 0;
  std::uint64_t classes = 0;  // partial orders that dpor explored
  double estimate = 0;        // executions that dpor would need in all; 0: unknown
};

class ExhaustiveFirst final : public Planner {
 public:
  using Clock = std::chrono::steady_clock;

  // dpor gets at most this many executions, until that time at most. `use` outlives the planner.
  ExhaustiveFirst(std::uint64_t seed, std::uint64_t share, Clock::time_point until, BudgetUse& use);

  PlannedExecution next(std::uint64_t execution) override;
  void learn(const PlannedExecution& planned, const ExecutionView& view) override;
  bool finished() const override;
  bool ready() const override;
  bool complete() const override { return finished(); }
  bool progress(SearchProgress& progress) const override;

 private:
  bool searches() const { return !given_up_; }

  std::unique_ptr<Planner> search_;
  std::unique_ptr<Planner> portfolio_;
  std::uint64_t share_;
  Clock::time_point until_;
  BudgetUse& use_;
  std::uint64_t under_way_ = 0;  // executions of the search that have not been learned from
  bool given_up_ = false;        // invariant: no execution of the search is under way once the portfolio plans
};

}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
#include "driver/campaign/exhaustive_first.h"

#include "strategies/registry.h"

namespace ravel {
namespace {

// The work of dpor's planner grows with the square of this.
constexpr std::size_t kLongestTrace = 1000;
constexpr std::uint32_t kMostTasks = 12;

}  // namespace

ExhaustiveFirst::ExhaustiveFirst(std::uint64_t seed, std::uint64_t share, Clock::time_point until, BudgetUse& use)
    : search_(make_planner("dpor", seed)),
      portfolio_(make_planner("auto", seed)),
      share_(share),
      until_(until),
      use_(use) {}

PlannedExecution ExhaustiveFirst::next(std::uint64_t) {
  if (searches()) {
    ++under_way_;
    return search_->next(use_.exhaustive++);
  }
  return portfolio_->next(use_.portfolio++);
}

void ExhaustiveFirst::learn(const PlannedExecution& planned, const ExecutionView& view) {
  if (under_way_ == 0) {
    portfolio_->learn(planned, view);
    return;
  }
  --under_way_;
  search_->learn(planned, view);
  SearchProgress now;
  search_->progress(now);
  use_.classes = now.classes;
  use_.estimate = now.estimate;
  const bool too_large = view.summary.trace_full != 0 || view.trace.size() > kLongestTrace ||
                         view.summary.tasks > kMostTasks || use_.exhaustive >= share_ || Clock::now() >= until_;
  const bool failed_to_finish = search_->finished() && !search_->complete();
  if (failed_to_finish || (too_large && !search_->finished())) given_up_ = true;
}

bool ExhaustiveFirst::finished() const { return searches() && search_->finished(); }

bool ExhaustiveFirst::ready() const {
  if (searches()) return search_->ready() && use_.exhaustive < share_;
  return under_way_ == 0 && portfolio_->ready();
}

bool ExhaustiveFirst::progress(SearchProgress& progress) const { return searches() && search_->progress(progress); }

}  // namespace ravel

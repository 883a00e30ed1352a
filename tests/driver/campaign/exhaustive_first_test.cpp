// SPDX-License-Identifier: Apache-2.0
// ExhaustiveFirst: who plans which execution, and when the search counts as complete.
#include "driver/campaign/exhaustive_first.h"

#include <gtest/gtest.h>

#include <vector>

namespace ravel {
namespace {

constexpr auto kNever = ExhaustiveFirst::Clock::time_point::max();

// One execution of a program with two tasks whose operations all conflict: dpor always has another order to try.
struct Recorded {
  ExecutionSummary summary;
  std::vector<TraceEvent> trace;

  explicit Recorded(std::uint32_t tasks = 1) {
    summary.outcome = Outcome::ended;
    summary.tasks = tasks;
  }
  ExecutionView view() const {
    ExecutionView view{summary};
    view.trace = trace;
    return view;
  }
};

TEST(ExhaustiveFirst, IsCompleteWhenDporIs) {
  BudgetUse use;
  ExhaustiveFirst planner(1, 100, kNever, use);
  const PlannedExecution first = planner.next(0);
  EXPECT_EQ(first.plan.strategy, StrategyKind::dpor);
  EXPECT_FALSE(planner.finished());
  planner.learn(first, Recorded().view());  // no choice anywhere: that was all
  EXPECT_TRUE(planner.finished());
  EXPECT_TRUE(planner.complete());
  EXPECT_EQ(use.exhaustive, 1U);
  EXPECT_EQ(use.portfolio, 0U);
}

TEST(ExhaustiveFirst, LeavesTheRestToThePortfolioWhenExecutionsAreTooLarge) {
  BudgetUse use;
  ExhaustiveFirst planner(1, 100, kNever, use);
  const PlannedExecution first = planner.next(0);
  Recorded large(2);
  large.summary.outcome = Outcome::cut;  // so dpor cannot be complete
  large.summary.trace_full = 1;
  planner.learn(first, large.view());
  EXPECT_FALSE(planner.finished());
  EXPECT_FALSE(planner.complete());
  EXPECT_TRUE(planner.ready());
  for (std::uint64_t execution = 1; execution < 20; ++execution) {
    const PlannedExecution planned = planner.next(execution);
    planner.learn(planned, Recorded(2).view());
  }
  EXPECT_EQ(use.exhaustive, 1U);
  EXPECT_EQ(use.portfolio, 19U);
  SearchProgress progress;
  EXPECT_FALSE(planner.progress(progress)) << "the campaign is not an exhaustive one any more";
}

TEST(ExhaustiveFirst, WaitsForTheSearchBeforeItChanges) {
  BudgetUse use;
  ExhaustiveFirst planner(1, 1, kNever, use);
  (void)planner.next(0);
  EXPECT_FALSE(planner.ready()) << "its share is used up, and what comes of it is not known yet";
}

}  // namespace
}  // namespace ravel

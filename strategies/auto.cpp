// SPDX-License-Identifier: Apache-2.0
// auto: a planner only; its plans are those of other strategies. The first execution is sequential: it shows the
// program at rest, and its trace is the first profile. Then the members take turns by weight, and weight moves to
// whoever brings new behaviour. docs/strategies/auto.md.
#ifndef RAVEL_IN_TARGET
#include "strategies/halves.h"

#include <algorithm>
#include <memory>
#include <vector>

namespace ravel {
namespace {

class AutoPlanner final : public Planner {
 public:
  explicit AutoPlanner(std::uint64_t seed) : sequential_(make_sequential_planner(seed)) {
    // What the members are worth before anything is known of the program: benchmarks/search.
    add(StrategyKind::rff, 4, make_rff_planner(seed));
    add(StrategyKind::surw, 4, make_surw_planner(seed));
    add(StrategyKind::pos, 2, make_pos_planner(seed));
    add(StrategyKind::random, 1, make_random_planner(seed));
    add(StrategyKind::pct, 1, make_pct_planner(seed));
  }

  PlannedExecution next(std::uint64_t execution) override {
    PlannedExecution planned;
    if (execution == 0) {
      planned = sequential_->next(0);
      planned.plan.trace = TraceLevel::operations;
      return planned;
    }
    Member& member = *std::min_element(members_.begin(), members_.end(),
                                       [](const Member& a, const Member& b) { return a.turn < b.turn; });
    member.turn += 1 / weight_of(member);
    return member.planner->next(member.planned++);
  }

  // Everybody learns from every execution: what the program does, does not depend on who ran it.
  void learn(const PlannedExecution& planned, const ExecutionView& view) override {
    for (Member& member : members_) {
      member.planner->learn(planned, view);
      if (member.strategy != planned.plan.strategy) continue;
      const double news = std::min(view.news, kMostNews) + (view.new_order ? 1.0 : 0.0);
      member.yield += (news - member.yield) * kFading;
    }
  }

 private:
  struct Member {
    StrategyKind strategy;
    double share;
    std::unique_ptr<Planner> planner;
    double turn;       // who has the smallest is next
    double yield = 0;  // new behaviours an execution, lately
    std::uint64_t planned = 0;
  };

  static constexpr double kFading = 1.0 / 16;
  static constexpr std::uint32_t kMostNews = 8;  // one lucky execution says little
  static constexpr double kMostFavour = 2;

  void add(StrategyKind strategy, double share, std::unique_ptr<Planner> planner) {
    // The first turns come in the order of the list.
    members_.push_back({strategy, share, std::move(planner), 1 / share + 1e-6 * static_cast<double>(members_.size())});
  }

  // A member whose executions show more that is new than the others' gets up to twice its share, one that shows less
  // down to half. Nobody is dropped: what shows no new behaviour for long may still be what finds the failure.
  double weight_of(const Member& member) const {
    double sum = 0;
    for (const Member& other : members_) sum += other.yield;
    const double mean = sum / static_cast<double>(members_.size());
    if (mean <= 0) return member.share;
    return member.share * std::clamp(member.yield / mean, 1 / kMostFavour, kMostFavour);
  }

  std::unique_ptr<Planner> sequential_;
  std::vector<Member> members_;
};

}  // namespace

std::unique_ptr<Planner> make_auto_planner(std::uint64_t seed) { return std::make_unique<AutoPlanner>(seed); }

}  // namespace ravel
#endif

// SPDX-License-Identifier: Apache-2.0
// auto: a planner only; its plans are those of other strategies. The first execution is dpor's first, which is
// sequential: it shows the program undisturbed, and its trace is the first profile. The second reverses its first race.
// Then the members take turns by weight, and weight moves to the ones that show new behaviour; dpor stays among them as
// long as executions are short. docs/strategies/auto.md.
#ifndef RAVEL_IN_TARGET
#include "strategies/halves.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace ravel {
namespace {

// dpor as a member of a portfolio: one execution at a time. It starts over when others have found scheduling points
// that it did not know of, and stops when executions are too long to analyse in reasonable time.
class DporTurns {
 public:
  explicit DporTurns(std::uint64_t seed) : seed_(seed), planner_(make_dpor_planner(seed)) {}

  // Is the next execution dpor's? Called once before each.
  bool has_next() {
    if (given_up_ || under_way_ || planner_->finished()) return false;
    ++asked_;
    return planned_ < kFirst || asked_ % (planned_ < kEager ? kEagerEvery : kLazyEvery) == 0;
  }

  PlannedExecution next() {
    under_way_ = true;
    return planner_->next(planned_++);
  }

  void learn(const PlannedExecution& planned, const ExecutionView& view) {
    const bool own = planned.plan.strategy == StrategyKind::dpor;
    if (own) {
      under_way_ = false;
      if (view.summary.trace_full != 0 || view.trace.size() > kLongestTrace || planned_ >= kMost) given_up_ = true;
      if (view.summary.tasks > kMostTasks) given_up_ = true;
      if (!given_up_ && !stale_) planner_->learn(planned, view);
    } else if (view.new_sites != 0) {
      stale_ = true;
    }
    if (!stale_ || under_way_) return;
    planner_ = make_dpor_planner(seed_);
    stale_ = false;
  }

 private:
  static constexpr std::uint64_t kFirst = 2;  // in a row: the sequential execution, and the first reversed race
  static constexpr std::uint64_t kEager = 8;  // executions after which its turns become rarer
  static constexpr std::uint64_t kEagerEvery = 3;
  static constexpr std::uint64_t kLazyEvery = 16;
  static constexpr std::uint32_t kMostTasks = 12;
  static constexpr std::uint64_t kMost = 400;
  static constexpr std::size_t kLongestTrace = 500;

  std::uint64_t seed_;
  std::unique_ptr<Planner> planner_;
  std::uint64_t planned_ = 0;
  std::uint64_t asked_ = 0;
  bool under_way_ = false;
  bool stale_ = false;  // there are scheduling points that it does not know of
  bool given_up_ = false;
};

class AutoPlanner final : public Planner {
 public:
  explicit AutoPlanner(std::uint64_t seed) : dpor_(seed) {
    // What the members are worth before anything is known about the program: benchmarks/search.
    add(StrategyKind::rff, 4, make_rff_planner(seed));
    add(StrategyKind::surw, 4, make_surw_planner(seed));
    add(StrategyKind::pos, 2, make_pos_planner(seed));
    add(StrategyKind::random, 1, make_random_planner(seed));
    add(StrategyKind::pct, 1, make_pct_planner(seed));
  }

  PlannedExecution next(std::uint64_t) override {
    if (dpor_.has_next()) return dpor_.next();
    Member& member = *std::min_element(members_.begin(), members_.end(),
                                       [](const Member& a, const Member& b) { return a.turn < b.turn; });
    member.turn += 1 / weight_of(member);
    return member.planner->next(member.planned++);
  }

  // Every member learns from every execution: what the program does is independent of who ran it.
  void learn(const PlannedExecution& planned, const ExecutionView& view) override {
    dpor_.learn(planned, view);
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
    double turn;       // the smallest is next
    double yield = 0;  // new behaviours per execution, recently
    std::uint64_t planned = 0;
  };

  static constexpr double kFading = 1.0 / 16;
  static constexpr std::uint32_t kMostNews = 8;  // one lucky execution says little
  static constexpr double kMostFavour = 2;

  void add(StrategyKind strategy, double share, std::unique_ptr<Planner> planner) {
    // The first turns come in the order of the list.
    members_.push_back({strategy, share, std::move(planner), 1 / share + 1e-6 * static_cast<double>(members_.size())});
  }

  // A member whose executions show more new behaviour than the others' gets up to twice its share, one that shows less
  // down to half. None is dropped: one that shows nothing new for long may still be the one that finds the failure.
  double weight_of(const Member& member) const {
    double sum = 0;
    for (const Member& other : members_) sum += other.yield;
    const double mean = sum / static_cast<double>(members_.size());
    if (mean <= 0) return member.share;
    return member.share * std::clamp(member.yield / mean, 1 / kMostFavour, kMostFavour);
  }

  DporTurns dpor_;
  std::vector<Member> members_;
};

}  // namespace

std::unique_ptr<Planner> make_auto_planner(std::uint64_t seed) { return std::make_unique<AutoPlanner>(seed); }

}  // namespace ravel
#endif

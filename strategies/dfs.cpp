// SPDX-License-Identifier: Apache-2.0
// dfs: all schedules, those with few preemptions first. Musuvathi, Qadeer: Iterative Context Bounding for Systematic
// Testing of Multithreaded Programs, PLDI 2007 (CHESS). docs/strategies/dfs.md.
//
// The chooser never preempts. The planner turns every alternative of an execution into a prefix: explored at once if it
// needs no additional preemption, later if it does. So every schedule is a prefix followed by no preemption, and comes
// up exactly once.
#include "strategies/halves.h"
#include "strategies/unpreempted.h"

#ifndef RAVEL_IN_TARGET
#include <map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "strategies/partial_order.h"
#include "strategies/plan_drawing.h"
#include "strategies/search_prefix.h"
#endif

namespace ravel {
namespace {

constinit Unpreempted g_order;

class DfsChooser final : public Chooser {
 public:
  constexpr DfsChooser() = default;

  void begin(const Plan&, std::span<const std::uint64_t>) override { g_order.begin(); }
  void on_pending(const Operation&) override {}
  void on_enabled(TaskId task, bool enabled) override { g_order.set_enabled(task, enabled); }
  void on_yield(TaskId task) override { g_order.yield(task); }
  TaskId choose_task(const TaskChoice& choice) override { return g_order.choose(choice); }
  void on_step(const Operation&) override { g_order.step(); }
  std::uint32_t choose_environment(EnvironmentKind, std::uint32_t) override { return 0; }
};

constinit DfsChooser g_chooser;

}  // namespace

Chooser& dfs_chooser() { return g_chooser; }

#ifndef RAVEL_IN_TARGET
namespace {

// Prefixes kept for later, in decisions: a few hundred megabytes. What does not fit is not explored, and the search is
// not complete.
constexpr std::size_t kMaxKeptDecisions = std::size_t{1} << 24;

class DfsPlanner final : public Planner {
 public:
  explicit DfsPlanner(std::uint64_t seed) : seed_(seed) { restart(); }

  PlannedExecution next(std::uint64_t execution) override {
    PlannedExecution planned{search_plan(StrategyKind::dfs, plan_random(seed_, execution).next())};
    if (now_.empty()) raise_bound();
    if (now_.empty()) return planned;
    Branch branch = std::move(now_.back());
    now_.pop_back();
    kept_ -= branch.prefix.size();
    planned.prefix = branch.prefix;
    under_way_.emplace(planned.plan.seed, std::move(branch));
    return planned;
  }

  void learn(const PlannedExecution& planned, const ExecutionView& view) override {
    const auto found = under_way_.find(planned.plan.seed);
    if (view.new_sites != 0) {
      restart();
      return;
    }
    if (found == under_way_.end()) return;  // from a tree that no longer exists
    const Branch branch = std::move(found->second);
    under_way_.erase(found);
    if (!is_reliable(view)) complete_ = false;
    if (view.summary.outcome == Outcome::diverged) {
      ++redundant_;
      return;
    }
    const PartialOrder order(view);
    ++explored_;
    classes_.insert(order.class_hash());
    weight_ += branch_out(branch, order);
  }

  bool ready() const override { return !now_.empty() || (under_way_.empty() && !later_.empty()); }
  bool finished() const override { return now_.empty() && later_.empty() && under_way_.empty(); }
  bool complete() const override { return finished() && complete_; }

  bool progress(SearchProgress& progress) const override {
    progress.explored = explored_;
    progress.redundant = redundant_;
    progress.classes = classes_.size();
    progress.estimate = weight_ > 0 ? static_cast<double>(explored_) / weight_ : 0;
    return true;
  }

 private:
  struct Branch {
    std::vector<DecisionRun> prefix;
    std::size_t steps = 0;    // of the prefix
    std::size_t choices = 0;  // choices of its last step that the prefix answers
    double weight = 1;        // its share of the tree if all branches of a node were alike (Knuth)
  };

  void restart() {
    now_.clear();
    later_.clear();
    under_way_.clear();
    classes_.clear();
    kept_ = 0;
    explored_ = 0;
    redundant_ = 0;
    weight_ = 0;
    complete_ = true;
    bound_ = 0;
    now_.push_back({});
  }

  void raise_bound() {
    while (now_.empty() && !later_.empty()) {
      const auto first = later_.begin();
      bound_ = first->first;
      now_ = std::move(first->second);
      later_.erase(first);
    }
  }

  // Adds every alternative from the end of its prefix on. Returns its own share of the tree.
  double branch_out(const Branch& branch, const PartialOrder& order) {
    std::vector<DecisionRun> so_far;
    std::uint64_t preemptions = 0;
    double weight = branch.weight;
    const auto go_through = [&](const std::vector<PartialOrder::Choice>& choices, std::size_t steps,
                                std::size_t known) {
      for (std::size_t c = 0; c < choices.size(); ++c) {
        const PartialOrder::Choice& choice = choices[c];
        if (steps >= branch.steps && c >= known && is_explored(choice)) {
          weight /= choice.options;
          for (std::uint32_t value = 1; value < choice.options; ++value) {
            Branch other{so_far, steps, c + 1, weight};
            append_choice(other.prefix, choice.kind, choice.detail, value);
            keep(std::move(other), preemptions);
          }
        }
        append_choice(so_far, choice.kind, choice.detail, choice.taken);
      }
    };
    go_through(order.first_choices(), 0, branch.steps == 0 ? branch.choices : 0);
    for (std::size_t i = 0; i < order.size(); ++i) {
      const PartialOrder::Event& event = order[i];
      const TaskId before = i == 0 ? 0 : order[i - 1].task();
      if (i >= branch.steps) {
        const int ways = __builtin_popcountll(event.enabled);
        if (ways > 1) weight /= ways;
        for (TaskId task = 0; task < order.tasks(); ++task) {
          if (((event.enabled >> task) & 1) == 0 || task == event.task()) continue;
          Branch other{so_far, i + 1, 0, weight};
          append_task(other.prefix, task);
          const bool preempts = (event.flags & kTraceMayGoOn) != 0 && task != before;
          keep(std::move(other), preemptions + (preempts ? 1 : 0));
        }
      }
      if ((event.flags & kTracePreempts) != 0) ++preemptions;
      append_task(so_far, event.task());
      go_through(event.choices, i + 1, branch.steps == i + 1 ? branch.choices : 0);
    }
    return weight;
  }

  void keep(Branch branch, std::uint64_t preemptions) {
    if (kept_ + branch.prefix.size() > kMaxKeptDecisions) {
      complete_ = false;
      return;
    }
    kept_ += branch.prefix.size();
    (preemptions <= bound_ ? now_ : later_[preemptions]).push_back(std::move(branch));
  }

  std::uint64_t seed_;
  std::vector<Branch> now_;                             // with at most bound_ preemptions
  std::map<std::uint64_t, std::vector<Branch>> later_;  // by preemptions
  std::map<std::uint64_t, Branch> under_way_;           // by the seed of the plan, which identifies the execution
  std::unordered_set<std::uint64_t> classes_;
  std::size_t kept_ = 0;
  std::uint64_t bound_ = 0;
  std::uint64_t explored_ = 0;
  std::uint64_t redundant_ = 0;
  double weight_ = 0;
  bool complete_ = true;
};

}  // namespace

std::unique_ptr<Planner> make_dfs_planner(std::uint64_t seed) { return std::make_unique<DfsPlanner>(seed); }
#endif

}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
// pct(d): probabilistic concurrency testing. Burckhardt, Kothari, Musuvathi, Nagarakatte: A Randomized Scheduler with
// Probabilistic Guarantees of Finding Bugs, ASPLOS 2010. docs/strategies/pct.md explains the idea and the deviations.
//
// Priorities, from high to low:
//   1. what a task draws when it appears: a random number, so a new task has a random rank among all;
//   2. d-1 values of the change points. The i-th point DRAWN gets value d-i, whenever it comes: the guarantee needs
//      the order of the values to be independent of the order of the points, so they are not sorted;
//   3. tasks that yielded or spin, the latest lowest.
//
// Parameters: `depth`, the d of the paper, so d-1 change points; `length`, its k: from how many steps they are drawn.
#include <algorithm>

#include "base/random.h"

#include "strategies/environment_choices.h"
#include "strategies/halves.h"
#include "strategies/plan_drawing.h"
#include "strategies/priority_tree.h"
#include "strategies/store_choices.h"

namespace ravel {
namespace {

constexpr std::uint64_t kDrawn = std::uint64_t{1} << 63;
constexpr std::uint64_t kYielded = std::uint64_t{1} << 62;  // and below
constexpr std::uint64_t kChangePoint = kYielded + 1;        // and above
constexpr std::uint32_t kMostChangePoints = 64;

constinit PriorityTree g_tree;

class PctChooser final : public Chooser {
 public:
  constexpr PctChooser() = default;

  void begin(const Plan& plan, std::span<const std::uint64_t>) override {
    g_tree.clear();
    random_ = Random(plan.seed);
    environment_.begin(plan);
    stores_.begin(plan);
    step_ = 0;
    yields_ = 0;
    const std::uint64_t depth = plan.parameter("depth");
    points_ = depth == 0 ? 0 : static_cast<std::uint32_t>(std::min<std::uint64_t>(depth - 1, kMostChangePoints));
    const auto length = static_cast<std::uint32_t>(std::min<std::uint64_t>(plan.parameter("length"), 0xffffffffU));
    for (std::uint32_t i = 0; i < points_; ++i) change_at_[i] = 1 + std::uint64_t{random_.below(length)};
    find_next_change();
  }

  void on_pending(const Operation& operation) override {
    if (g_tree.priority(operation.task) == 0) g_tree.set_priority(operation.task, kDrawn | random_.next());
  }

  void on_enabled(TaskId task, bool enabled) override { g_tree.set_enabled(task, enabled); }
  void on_yield(TaskId task) override { g_tree.set_priority(task, kYielded - yields_++); }
  TaskId choose_task(const TaskChoice&) override { return g_tree.highest(); }

  // The step at a change point is still performed; the task's next operation has the low priority.
  void on_step(const Operation& operation) override {
    ++step_;
    if (step_ != next_change_) return;
    for (std::uint32_t i = 0; i < points_; ++i) {
      if (change_at_[i] == step_) g_tree.set_priority(operation.task, kChangePoint + (points_ - i));
    }
    find_next_change();
  }

  std::uint32_t choose_environment(EnvironmentKind kind, std::uint32_t options) override {
    return environment_.choose(kind, options);
  }

  std::uint32_t choose_store(std::uint32_t options) override { return stores_.choose(options); }

 private:
  void find_next_change() {
    next_change_ = 0;
    for (std::uint32_t i = 0; i < points_; ++i) {
      if (change_at_[i] > step_ && (next_change_ == 0 || change_at_[i] < next_change_)) next_change_ = change_at_[i];
    }
  }

  Random random_;
  EnvironmentChoices environment_;
  StoreChoices stores_;
  std::uint64_t step_ = 0;
  std::uint64_t yields_ = 0;
  std::uint64_t next_change_ = 0;  // the smallest change point above step_; 0: none
  std::uint32_t points_ = 0;
  std::uint64_t change_at_[kMostChangePoints] = {};
};

constinit PctChooser g_chooser;

}  // namespace

Chooser& pct_chooser() { return g_chooser; }

#ifndef RAVEL_IN_TARGET
namespace {

class PctPlanner final : public Planner {
 public:
  explicit PctPlanner(std::uint64_t seed) : seed_(seed) {}

  // The first execution has depth 1, which needs no length: it measures the length.
  PlannedExecution next(std::uint64_t execution) override {
    Random random = plan_random(seed_, execution);
    Plan plan = begin_plan(StrategyKind::pct, random);
    plan.set_parameter("depth", 1 + execution % kDepths);
    plan.set_parameter("length", length_ == 0 ? kUnknownLength : length_);
    draw_the_unusual(plan, random);
    return {plan};
  }

  // The longest of the recent executions: an estimate that is too small never reaches the end of the program, one that
  // is too large only costs some probability. It decays, so that one odd execution does not spoil the campaign.
  void learn(const PlannedExecution&, const ExecutionView& view) override {
    length_ -= length_ / 64;
    if (view.summary.steps > length_) length_ = view.summary.steps;
  }

 private:
  static constexpr std::uint32_t kDepths = 5;
  static constexpr std::uint64_t kUnknownLength = 100;
  std::uint64_t seed_;
  std::uint64_t length_ = 0;
};

}  // namespace

std::unique_ptr<Planner> make_pct_planner(std::uint64_t seed) { return std::make_unique<PctPlanner>(seed); }
#endif

}  // namespace ravel

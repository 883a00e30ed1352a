// SPDX-License-Identifier: Apache-2.0
// pos: partial order sampling. Yuan, Yang, Gu: Partial Order Aware Concurrency Sampling, CAV 2018.
// docs/strategies/pos.md tells the idea and the deviations.
//
// Every pending operation carries a random priority, drawn when it becomes pending. The enabled one of highest priority
// is performed; then all pending operations that conflict with it draw anew.
#include "base/random.h"

#include "strategies/environment_choices.h"
#include "strategies/halves.h"
#include "strategies/pending_priorities.h"
#include "strategies/plan_drawing.h"
#include "strategies/store_choices.h"

namespace ravel {
namespace {

// Every so many choices one enabled task draws anew; see docs/strategies/pos.md, deviations.
constexpr std::uint32_t kRefreshEvery = 64;

constinit PendingPriorities g_pending;

class PosChooser final : public Chooser {
 public:
  constexpr PosChooser() = default;

  void begin(const Plan& plan, std::span<const std::uint64_t>) override {
    g_pending.clear();
    random_ = Random(plan.seed);
    environment_.begin(plan);
    stores_.begin(plan);
    yielding_ = kNoTask;
    choices_ = 0;
  }

  void on_pending(const Operation& operation) override { g_pending.add(operation, random_); }
  void on_enabled(TaskId task, bool enabled) override { g_pending.set_enabled(task, enabled, random_); }

  // Below all others until one of them has made a step.
  void on_yield(TaskId task) override {
    yielding_ = task;
    g_pending.set_lowest(task, random_);
  }

  TaskId choose_task(const TaskChoice& choice) override {
    if (++choices_ % kRefreshEvery == 0) {
      const TaskId task = choice.enabled[random_.below(static_cast<std::uint32_t>(choice.enabled.size()))];
      if (task != yielding_) g_pending.redraw(task, random_);
    }
    return g_pending.highest();
  }

  void on_step(const Operation& operation) override {
    g_pending.remove(operation.task, random_);
    g_pending.redraw_conflicting(operation, random_);
    if (yielding_ == kNoTask) return;
    if (yielding_ != operation.task) g_pending.redraw(yielding_, random_);
    yielding_ = kNoTask;
  }

  std::uint32_t choose_environment(EnvironmentKind kind, std::uint32_t options) override {
    return environment_.choose(kind, options);
  }

  std::uint32_t choose_store(std::uint32_t options) override { return stores_.choose(options); }

 private:
  Random random_;
  EnvironmentChoices environment_;
  StoreChoices stores_;
  TaskId yielding_ = kNoTask;  // who yielded since the last step
  std::uint32_t choices_ = 0;
};

constinit PosChooser g_chooser;

}  // namespace

Chooser& pos_chooser() { return g_chooser; }

#ifndef RAVEL_IN_TARGET
namespace {

class PosPlanner final : public Planner {
 public:
  explicit PosPlanner(std::uint64_t seed) : seed_(seed) {}

  PlannedExecution next(std::uint64_t execution) override {
    Random random = plan_random(seed_, execution);
    Plan plan = begin_plan(StrategyKind::pos, random);
    draw_the_unusual(plan, random);
    return {plan};
  }

  void learn(const PlannedExecution&, const ExecutionView&) override {}

 private:
  std::uint64_t seed_;
};

}  // namespace

std::unique_ptr<Planner> make_pos_planner(std::uint64_t seed) { return std::make_unique<PosPlanner>(seed); }
#endif

}  // namespace ravel

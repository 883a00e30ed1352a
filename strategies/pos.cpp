// SPDX-License-Identifier: Apache-2.0
// pos: partial order sampling. Yuan, Yang, Gu: Partial Order Aware Concurrency Sampling, CAV 2018.
// docs/strategies/pos.md explains the idea and the deviations.
//
// Every pending operation has a random priority, drawn when it becomes pending. The enabled one of highest priority is
// performed; then all pending operations that conflict with it redraw theirs.
#include "strategies/environment_choices.h"
#include "strategies/halves.h"
#include "strategies/order_sampling.h"
#include "strategies/plan_drawing.h"
#include "strategies/store_choices.h"

namespace ravel {
namespace {

constinit OrderSampling g_sampling;

class PosChooser final : public Chooser {
 public:
  constexpr PosChooser() = default;

  void begin(const Plan& plan, std::span<const std::uint64_t>) override {
    g_sampling.begin(plan.seed);
    environment_.begin(plan);
    stores_.begin(plan);
  }

  void on_pending(const Operation& operation) override { g_sampling.add(operation); }
  void on_enabled(TaskId task, bool enabled) override { g_sampling.set_enabled(task, enabled); }
  void on_yield(TaskId task) override { g_sampling.yield(task); }
  TaskId choose_task(const TaskChoice& choice) override {
    return g_sampling.choose(choice, [](TaskId) { return true; });
  }
  void on_step(const Operation& operation) override { g_sampling.step(operation); }

  std::uint32_t choose_environment(EnvironmentKind kind, std::uint32_t options) override {
    return environment_.choose(kind, options);
  }

  std::uint32_t choose_store(std::uint32_t options) override { return stores_.choose(options); }

 private:
  EnvironmentChoices environment_;
  StoreChoices stores_;
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

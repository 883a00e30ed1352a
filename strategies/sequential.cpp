// SPDX-License-Identifier: Apache-2.0
// sequential: no preemption. A task runs until it blocks, yields or ends; then the next one in order of creation has
// its turn, round and round. docs/strategies/sequential.md.
#include "strategies/environment_choices.h"
#include "strategies/halves.h"
#include "strategies/store_choices.h"
#include "strategies/task_set.h"

namespace ravel {
namespace {

constinit TaskSet g_enabled;

class SequentialChooser final : public Chooser {
 public:
  constexpr SequentialChooser() = default;

  void begin(const Plan& plan, std::span<const std::uint64_t>) override {
    g_enabled.clear();
    yielding_ = kNoTask;
    environment_.begin(plan);
    stores_.begin(plan);
  }

  void on_pending(const Operation&) override {}

  void on_enabled(TaskId task, bool enabled) override {
    if (enabled) {
      g_enabled.insert(task);
    } else {
      g_enabled.remove(task);
    }
  }

  void on_yield(TaskId task) override { yielding_ = task; }

  TaskId choose_task(const TaskChoice& choice) override {
    if (choice.current_enabled && choice.current != yielding_) return choice.current;
    return g_enabled.next_after(choice.current);
  }

  void on_step(const Operation&) override { yielding_ = kNoTask; }

  std::uint32_t choose_environment(EnvironmentKind kind, std::uint32_t options) override {
    return environment_.choose(kind, options);
  }

  std::uint32_t choose_store(std::uint32_t options) override { return stores_.choose(options); }

 private:
  TaskId yielding_ = kNoTask;  // who yielded since the last step
  EnvironmentChoices environment_;
  StoreChoices stores_;
};

constinit SequentialChooser g_chooser;

}  // namespace

Chooser& sequential_chooser() { return g_chooser; }

#ifndef RAVEL_IN_TARGET
namespace {

class SequentialPlanner final : public Planner {
 public:
  explicit SequentialPlanner(std::uint64_t seed) : seed_(seed) {}

  PlannedExecution next(std::uint64_t execution) override {
    Plan plan;
    plan.strategy = StrategyKind::sequential;
    plan.seed = plan_random(seed_, execution).next();
    return {plan};
  }

  void learn(const PlannedExecution&, const ExecutionView&) override {}

 private:
  std::uint64_t seed_;
};

}  // namespace

std::unique_ptr<Planner> make_sequential_planner(std::uint64_t seed) {
  return std::make_unique<SequentialPlanner>(seed);
}
#endif

}  // namespace ravel

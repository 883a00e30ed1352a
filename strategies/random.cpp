// SPDX-License-Identifier: Apache-2.0
// random(p): at each point, with probability p, continue with another enabled task, chosen uniformly; otherwise with
// the same. p is drawn per execution from {1/2, 1/4, ... 1/4096}. docs/strategies/random.md.
#include "base/random.h"

#include "strategies/environment_choices.h"
#include "strategies/halves.h"
#include "strategies/plan_drawing.h"
#include "strategies/store_choices.h"
#include "strategies/switch_power.h"

namespace ravel {
namespace {

class RandomChooser final : public Chooser {
 public:
  constexpr RandomChooser() = default;

  void begin(const Plan& plan, std::span<const std::uint64_t>) override {
    random_ = Random(plan.seed);
    power_ = switch_power(plan);
    yielding_ = kNoTask;
    environment_.begin(plan);
    stores_.begin(plan);
  }

  void on_pending(const Operation&) override {}
  void on_enabled(TaskId, bool) override {}
  void on_yield(TaskId task) override { yielding_ = task; }

  TaskId choose_task(const TaskChoice& choice) override {
    const auto count = static_cast<std::uint32_t>(choice.enabled.size());
    if (!choice.current_enabled) return choice.enabled[random_.below(count)];
    if (choice.current != yielding_ && !random_.one_in_power_of_two(power_)) return choice.current;
    // Uniform among the others without searching for the current one: the last takes its place.
    const TaskId other = choice.enabled[random_.below(count - 1)];
    return other != choice.current ? other : choice.enabled[count - 1];
  }

  void on_step(const Operation&) override { yielding_ = kNoTask; }

  std::uint32_t choose_environment(EnvironmentKind kind, std::uint32_t options) override {
    return environment_.choose(kind, options);
  }

  std::uint32_t choose_store(std::uint32_t options) override { return stores_.choose(options); }

 private:
  Random random_;
  unsigned power_ = 1;
  TaskId yielding_ = kNoTask;  // who yielded since the last step
  EnvironmentChoices environment_;
  StoreChoices stores_;
};

constinit RandomChooser g_chooser;

}  // namespace

Chooser& random_chooser() { return g_chooser; }

#ifndef RAVEL_IN_TARGET
namespace {

class RandomPlanner final : public Planner {
 public:
  explicit RandomPlanner(std::uint64_t seed) : seed_(seed) {}

  PlannedExecution next(std::uint64_t execution) override {
    Random random = plan_random(seed_, execution);
    Plan plan = begin_plan(StrategyKind::random, random);
    draw_switch_power(plan, random);
    draw_the_unusual(plan, random);
    return {plan};
  }

  void learn(const PlannedExecution&, const ExecutionView&) override {}

 private:
  std::uint64_t seed_;
};

}  // namespace

std::unique_ptr<Planner> make_random_planner(std::uint64_t seed) { return std::make_unique<RandomPlanner>(seed); }
#endif

}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
// sequential: no preemption. A task runs until it blocks, yields or ends; then the next one in order of creation runs,
// round-robin. docs/strategies/sequential.md.
//
// A plan may give directions (its details): places at which the run is to deviate. Then, when a task cannot continue,
// the most recently preempted one runs first, and choices that no direction answers are the quiet ones.
#include "strategies/directions.h"
#include "strategies/environment_choices.h"
#include "strategies/halves.h"
#include "strategies/plan_drawing.h"
#include "strategies/store_choices.h"
#include "strategies/task_table.h"
#include "strategies/unpreempted.h"

namespace ravel {
namespace {

constinit Unpreempted g_order;
constinit TaskTable<std::uint32_t> g_steps;  // made by each task; only with directions

class SequentialChooser final : public Chooser {
 public:
  constexpr SequentialChooser() = default;

  void begin(const Plan& plan, std::span<const std::uint64_t> details) override {
    g_order.begin();
    directions_ = DirectionTable(details);
    for (TaskId task = 0; task < tasks_; ++task) g_steps[task] = 0;
    tasks_ = 1;
    last_ = 0;
    asked_ = 0;
    preempted_count_ = 0;
    environment_.begin(plan);
    stores_.begin(plan);
  }

  void on_pending(const Operation&) override {}

  void on_enabled(TaskId task, bool enabled) override { g_order.set_enabled(task, enabled); }
  void on_yield(TaskId task) override { g_order.yield(task); }

  TaskId choose_task(const TaskChoice& choice) override {
    return directions_.empty() ? g_order.choose(choice) : directed(choice);
  }

  void on_step(const Operation& operation) override {
    g_order.step();
    if (directions_.empty()) return;
    last_ = operation.task;
    asked_ = 0;
    if (last_ >= tasks_) tasks_ = last_ + 1;
    ++g_steps[last_];
  }

  std::uint32_t choose_environment(EnvironmentKind kind, std::uint32_t options) override {
    if (directions_.empty()) return kind == EnvironmentKind::short_sleep ? 0 : environment_.choose(kind, options);
    return answer(DirectionKind::environment, asked_++, options);
  }

  std::uint32_t choose_store(std::uint32_t options) override {
    if (directions_.empty()) return stores_.choose(options);
    return answer(DirectionKind::store, 0, options);
  }

 private:
  static constexpr std::uint32_t kMaxPreempted = 64;

  TaskId directed(const TaskChoice& choice) {
    const TaskId told = directions_.find(last_, g_steps[last_], DirectionKind::go_to, 0);
    const bool goes_on = g_order.goes_on(choice);
    if (told < kMaxTasks && g_order.is_enabled(told)) {
      if (goes_on && told != choice.current) remember(choice.current);
      return told;
    }
    if (goes_on) return choice.current;
    while (preempted_count_ > 0) {
      const TaskId task = preempted_[--preempted_count_];
      if (task != choice.current && g_order.is_enabled(task)) return task;
    }
    return g_order.next_after(choice.current);
  }

  void remember(TaskId task) {
    if (preempted_count_ < kMaxPreempted) preempted_[preempted_count_++] = task;
  }

  std::uint32_t answer(DirectionKind kind, std::uint16_t index, std::uint32_t options) const {
    const std::uint32_t told = directions_.find(last_, g_steps[last_], kind, index);
    return told < options ? told : 0;
  }

  EnvironmentChoices environment_;
  StoreChoices stores_;
  DirectionTable directions_;
  TaskId tasks_ = 1;         // tasks that have made a step have a smaller number
  TaskId last_ = 0;          // the task that made the latest step
  std::uint16_t asked_ = 0;  // environment choices since then
  TaskId preempted_[kMaxPreempted] = {};
  std::uint32_t preempted_count_ = 0;
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
    planned_ = true;
    return {plan};
  }

  void learn(const PlannedExecution&, const ExecutionView&) override {}

  // It knows no other order; but there may be many.
  bool finished() const override { return planned_; }
  bool complete() const override { return false; }

 private:
  std::uint64_t seed_;
  bool planned_ = false;
};

}  // namespace

std::unique_ptr<Planner> make_sequential_planner(std::uint64_t seed) {
  return std::make_unique<SequentialPlanner>(seed);
}
#endif

}  // namespace ravel

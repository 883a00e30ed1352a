// SPDX-License-Identifier: Apache-2.0
// The smallest strategy: tasks take turns of one step each. docs/how-to/add-a-strategy.md walks through it.
//
// Invariant: last_ is the task that performed the last step, so the next one in id order is always another task when
// another is enabled.
#include <ravel/strategy.h>

namespace ravel {
namespace {

class RoundRobinChooser final : public Chooser {
 public:
  void begin(const Plan&, std::span<const std::uint64_t>) override { last_ = kNoTask; }
  void on_pending(const Operation&) override {}
  void on_enabled(TaskId, bool) override {}
  void on_yield(TaskId) override {}

  // The enabled task that follows the last one; the lowest when there is none above it.
  TaskId choose_task(const TaskChoice& choice) override {
    TaskId lowest = kNoTask;
    TaskId following = kNoTask;
    for (const TaskId task : choice.enabled) {
      if (task < lowest) lowest = task;
      if (last_ != kNoTask && task > last_ && task < following) following = task;
    }
    return following != kNoTask ? following : lowest;
  }

  void on_step(const Operation& operation) override { last_ = operation.task; }

  // Turns are fair and the world is quiet: nothing unusual happens.
  std::uint32_t choose_environment(EnvironmentKind, std::uint32_t) override { return 0; }

 private:
  TaskId last_ = kNoTask;
};

constinit RoundRobinChooser g_chooser;

}  // namespace

// What the list of strategies hands to the scheduler.
Chooser& round_robin_chooser() { return g_chooser; }

}  // namespace ravel

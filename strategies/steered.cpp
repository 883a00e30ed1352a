// SPDX-License-Identifier: Apache-2.0
#include "strategies/steered.h"

#include "base/ids.h"

namespace ravel {
namespace {

// Choices made while a task is held back. The others may never end (a task that polls); after this long they will not
// come to meet it.
constexpr std::uint32_t kPatience = 20'000;

class SteeredChooser final : public Chooser {
 public:
  void use(Chooser& inner) { inner_ = &inner; }

  void begin(const Plan& plan, std::span<const std::uint64_t> details) override {
    inner_->begin(plan, details);
    holds_ = 0;
    for (const LockHold& hold : plan.hold) {
      if (hold.held != 0) hold_[holds_++] = Hold{hold, kNoTask, kNoTask, false};
    }
    steers_ = holds_ > 0;
    patience_ = kPatience;
  }

  void on_pending(const Operation& operation) override {
    inner_->on_pending(operation);
    if (!steers_ || !takes_lock(operation.kind)) return;
    for (std::uint32_t i = 0; i < holds_; ++i) {
      Hold& hold = hold_[i];
      const bool here = hold.place.wanted == operation.object && hold.owner == operation.task;
      if (!here || hold.kept != kNoTask || keeps(operation.task)) continue;
      hold.kept = operation.task;
      hold.enabled = true;  // it was running; the engine reports when that changes
      inner_->on_enabled(operation.task, false);
    }
    if (all_kept()) {
      release();
      steers_ = false;
    }
  }

  void on_enabled(TaskId task, bool enabled) override {
    if (Hold* hold = hold_of(task)) {
      hold->enabled = enabled;
      return;
    }
    inner_->on_enabled(task, enabled);
  }

  void on_yield(TaskId task) override { inner_->on_yield(task); }

  TaskId choose_task(const TaskChoice& choice) override {
    if (!steers_) return inner_->choose_task(choice);
    if (nobody_kept()) return inner_->choose_task(choice);
    std::uint32_t count = 0;
    for (const TaskId task : choice.enabled) {
      if (!keeps(task)) others_[count++] = task;
    }
    if (--patience_ == 0) steers_ = false;
    if (count == 0 || !steers_) {
      release();
      return inner_->choose_task(choice);
    }
    if (count == 1) return others_[0];
    TaskChoice rest = choice;
    rest.enabled = {others_, count};
    rest.current_enabled = choice.current_enabled && !keeps(choice.current);
    return inner_->choose_task(rest);
  }

  void on_step(const Operation& operation) override {
    if (steers_) {
      // Chosen without asking: no other task could run.
      if (keeps(operation.task)) release();
      for (std::uint32_t i = 0; i < holds_; ++i) {
        Hold& hold = hold_[i];
        if (hold.place.held != operation.object) continue;
        if (takes_lock(operation.kind)) hold.owner = operation.task;
        if (releases_lock(operation.kind) && hold.owner == operation.task) hold.owner = kNoTask;
      }
    }
    inner_->on_step(operation);
  }

  std::uint32_t choose_environment(EnvironmentKind kind, std::uint32_t options) override {
    return inner_->choose_environment(kind, options);
  }

  std::uint32_t choose_store(std::uint32_t options) override { return inner_->choose_store(options); }

 private:
  struct Hold {
    LockHold place;
    TaskId owner;  // who took `held` last and has not released it
    TaskId kept;   // the task held back here
    bool enabled;  // can it run?
  };

  Hold* hold_of(TaskId task) {
    for (std::uint32_t i = 0; i < holds_; ++i) {
      if (hold_[i].kept == task) return &hold_[i];
    }
    return nullptr;
  }
  bool keeps(TaskId task) { return hold_of(task) != nullptr; }
  bool nobody_kept() const {
    for (std::uint32_t i = 0; i < holds_; ++i) {
      if (hold_[i].kept != kNoTask) return false;
    }
    return true;
  }
  bool all_kept() const {
    for (std::uint32_t i = 0; i < holds_; ++i) {
      if (hold_[i].kept == kNoTask) return false;
    }
    return true;
  }

  // Lets all tasks that are held back continue.
  void release() {
    for (std::uint32_t i = 0; i < holds_; ++i) {
      const TaskId task = hold_[i].kept;
      hold_[i].kept = kNoTask;
      if (task != kNoTask && hold_[i].enabled) inner_->on_enabled(task, true);
    }
  }

  Chooser* inner_ = nullptr;
  Hold hold_[kMaxLockHolds] = {};
  std::uint32_t holds_ = 0;
  std::uint32_t patience_ = 0;
  bool steers_ = false;
  TaskId others_[kMaxTasks] = {};  // last: rarely touched
};

constinit SteeredChooser g_chooser;

}  // namespace

Chooser& steered_chooser(Chooser& inner) {
  g_chooser.use(inner);
  return g_chooser;
}

}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
// follow: at each point, continues with the enabled task whose pending operation comes first in the record of a
// parallel run. docs/strategies/follow.md.
#include "strategies/follow.h"

#include "base/random.h"

#include "strategies/environment_choices.h"
#include "strategies/follow_details.h"
#include "strategies/halves.h"
#include "strategies/plan_drawing.h"
#include "strategies/switch_power.h"
#include "strategies/task_paths.h"
#include "strategies/task_table.h"

#ifndef RAVEL_IN_TARGET
#include <algorithm>
#include <bit>
#endif

namespace ravel {
namespace {

// How far ahead in its thread's events a pending operation is looked for.
constexpr std::uint32_t kWindow = 1024;
constexpr std::uint32_t kNoEvent = 0xffffffffU;
constexpr std::uint64_t kBehindTheRecord = std::uint64_t{1} << 32;  // above every place
constexpr std::uint64_t kResting = std::uint64_t{1} << 63;          // above everything
constexpr std::uint32_t kLongestRest = 4096;

// One task on its way through the events of its thread.
struct Follower {
  std::uint32_t begin = 0;
  std::uint32_t cursor = 0;  // the next event
  std::uint32_t end = 0;
  // Events [gap, gap_end) were skipped by the latest match. The match may have been wrong: an operation that was not
  // recorded, with a twin further on that was.
  std::uint32_t gap = 0;
  std::uint32_t gap_end = 0;
  std::uint32_t found = kNoEvent;  // the event of the pending operation
  std::uint32_t rest = 0;          // steps it was held back for at its latest yield, since it last matched
  std::uint64_t resumes = 0;       // the step from which it is no longer held back
  std::uint64_t turn = 0;          // after its last event: first come, first served
  std::uint64_t rank = 0;
};

constinit TaskTable<Follower> g_follower;
constinit TaskPaths g_paths;

class FollowChooser final : public Chooser {
 public:
  constexpr FollowChooser() = default;

  void begin(const Plan& plan, std::span<const std::uint64_t> details) override {
    record_ = FollowTable(details);
    for (TaskId task = 0; task < tasks_; ++task) g_follower[task] = Follower{};
    g_paths.clear();
    tasks_ = 0;
    last_ = kNoTask;
    last_kind_ = OperationKind::task_start;
    steps_ = 0;
    turns_ = 0;
    exact_ = plan.seed == 0;
    random_ = Random(plan.seed);
    power_ = switch_power(plan);
    environment_.begin(plan);
  }

  void on_pending(const Operation& operation) override {
    const TaskId task = operation.task;
    if (!g_paths.contains(task)) enter(task);
    Follower& follower = g_follower[task];
    follower.found = find(follower, follow_key(operation.kind, operation.pc));
    if (follower.found != kNoEvent) {
      follower.rank = follow_place(record_[follower.found]);
      follower.resumes = 0;
    } else if (follower.cursor < follower.end) {
      follower.rank = follow_place(record_[follower.cursor]);
    } else {
      if (follower.turn == 0) follower.turn = ++turns_;
      follower.rank = kBehindTheRecord + follower.turn;
    }
  }

  void on_enabled(TaskId, bool) override {}

  // A task with an event in the record follows the record, which ends. The others are held back longer each time they
  // yield: otherwise two that wait by yielding would let each other go first forever.
  void on_yield(TaskId task) override {
    Follower& follower = g_follower[task];
    if (follower.found != kNoEvent) return;
    follower.rest = follower.rest == 0 ? 1 : follower.rest < kLongestRest ? 2 * follower.rest : kLongestRest;
    follower.resumes = steps_ + follower.rest;
    if (follower.turn != 0) follower.rank = kBehindTheRecord + (follower.turn = ++turns_);
  }

  TaskId choose_task(const TaskChoice& choice) override {
    TaskId first = kNoTask;
    TaskId second = kNoTask;
    std::uint64_t first_rank = 0;
    std::uint64_t second_rank = 0;
    for (const TaskId task : choice.enabled) {
      const Follower& follower = g_follower[task];
      const std::uint64_t rank = follower.rank | (follower.resumes > steps_ ? kResting : 0);
      if (first == kNoTask || rank < first_rank) {
        second = first;
        second_rank = first_rank;
        first = task;
        first_rank = rank;
      } else if (second == kNoTask || rank < second_rank) {
        second = task;
        second_rank = rank;
      }
    }
    return !exact_ && random_.one_in_power_of_two(power_) ? second : first;
  }

  void on_step(const Operation& operation) override {
    ++steps_;
    last_ = operation.task;
    last_kind_ = operation.kind;
    Follower& follower = g_follower[last_];
    if (follower.found == kNoEvent) return;
    const bool back = follower.found < follower.cursor;
    follower.gap = back ? 0 : follower.cursor;
    follower.gap_end = back ? 0 : follower.found;
    follower.cursor = follower.found + 1;
    follower.found = kNoEvent;
    follower.rest = 0;
  }

  // The record does not say who was notified: the quiet choice first, then any.
  std::uint32_t choose_environment(EnvironmentKind kind, std::uint32_t options) override {
    if (kind == EnvironmentKind::early_timeout || kind == EnvironmentKind::short_sleep) return sleeps() ? 1 : 0;
    return exact_ ? 0 : environment_.choose(kind, options);
  }

 private:
  // The running task is about to wait for at most some time. If that is all it waits for, the time has passed in the
  // record when its next event comes: the event's place decides when it continues, not the engine's clock, by which a
  // sleeper continues last.
  bool sleeps() const {
    if (last_ == kNoTask || last_kind_ == OperationKind::condition_timed_wait) return false;
    const Follower& follower = g_follower[last_];
    if (follower.cursor >= follower.end) return false;
    switch (follow_kind(record_[follower.cursor])) {
      case OperationKind::mutex_timed_lock:
      case OperationKind::rwlock_read_lock:
      case OperationKind::rwlock_write_lock:
      case OperationKind::condition_timed_wait:
      case OperationKind::semaphore_wait:
      case OperationKind::futex_wait:
      case OperationKind::task_join:
        return false;
      default:
        return true;
    }
  }

  void enter(TaskId task) {
    g_paths.add(task, last_);
    if (task >= tasks_) tasks_ = task + 1;
    const FollowTable::Events events = record_.find(g_paths.path(task));
    Follower& follower = g_follower[task];
    follower.begin = events.begin;
    follower.cursor = events.begin;
    follower.end = events.end;
  }

  std::uint32_t find(const Follower& follower, std::uint32_t key) const {
    const std::uint32_t cursor = follower.cursor;
    std::uint32_t ahead = search(key, cursor, follower.end);
    if (ahead == cursor && ahead != kNoEvent) return ahead;
    if (is_another_round(follower, key)) return kNoEvent;
    if (ahead == kNoEvent && cursor < follower.end) {
      // Did it leave a loop before the record did?
      const std::uint32_t last_round = skip_rounds(cursor, follower.end);
      if (last_round != cursor) ahead = search(key, last_round, follower.end);
    }
    const std::uint32_t behind = search(key, follower.gap, follower.gap_end);
    if (behind == kNoEvent) return ahead;
    if (ahead == kNoEvent) return behind;
    return behind - follower.gap < ahead - cursor ? behind : ahead;
  }

  std::uint32_t search(std::uint32_t key, std::uint32_t from, std::uint32_t to) const {
    if (to > from && to - from > kWindow) to = from + kWindow;
    for (std::uint32_t event = from; event < to; ++event) {
      if (static_cast<std::uint32_t>(record_[event]) == key) return event;
    }
    return kNoEvent;
  }

  // The loop that was just left had more rounds than were kept, and this is one of them.
  bool is_another_round(const Follower& follower, std::uint32_t key) const {
    const std::uint32_t cursor = follower.cursor;
    if (cursor == follower.begin) return false;
    const std::uint32_t loop = follow_loop(record_[cursor - 1]);
    if ((loop & kFollowFolded) == 0) return false;
    const std::uint32_t period = loop & ~kFollowFolded;
    return period <= cursor - follower.begin && search(key, cursor - period, cursor) != kNoEvent;
  }

  std::uint32_t skip_rounds(std::uint32_t event, std::uint32_t end) const {
    for (;;) {
      const std::uint32_t loop = follow_loop(record_[event]);
      if (loop == 0 || (loop & kFollowFolded) != 0 || loop >= end - event) return event;
      event += loop;
    }
  }

  FollowTable record_;
  TaskId tasks_ = 0;  // those that have appeared have a smaller number
  TaskId last_ = kNoTask;
  OperationKind last_kind_ = OperationKind::task_start;  // what it did
  std::uint64_t steps_ = 0;
  std::uint64_t turns_ = 0;
  bool exact_ = true;
  unsigned power_ = 1;
  Random random_;
  EnvironmentChoices environment_;
};

constinit FollowChooser g_chooser;

}  // namespace

Chooser& follow_chooser() { return g_chooser; }

#ifndef RAVEL_IN_TARGET
namespace {

class FollowPlanner final : public Planner {
 public:
  FollowPlanner(const Recording& recording, std::uint64_t seed)
      : details_(follow_details(recording)), seed_(seed), steps_(recording.events.size()) {}

  PlannedExecution next(std::uint64_t execution) override {
    PlannedExecution planned;
    planned.plan.strategy = StrategyKind::follow;
    planned.details = details_;
    if (execution < kExact) return planned;
    planned.plan.seed = plan_random(seed_, execution).next() | 1;
    // About how often this execution leaves the record.
    const std::uint64_t leaves = 1 + (execution - kExact) / kGrowsEvery;
    const int power = std::clamp<int>(static_cast<int>(std::bit_width(steps_ / leaves)) - 1, 1, 20);
    planned.plan.set_parameter("switch", static_cast<std::uint64_t>(power));
    return planned;
  }

  void learn(const PlannedExecution&, const ExecutionView& view) override {
    if (!learned_) steps_ = 0;
    learned_ = true;
    steps_ = std::max(steps_, view.summary.steps);
  }

 private:
  // Two: after the first, the campaign knows more code locations whose accesses are points.
  static constexpr std::uint64_t kExact = 2;
  static constexpr std::uint64_t kGrowsEvery = 8;

  const std::vector<std::uint64_t> details_;
  const std::uint64_t seed_;
  std::uint64_t steps_;  // of an execution
  bool learned_ = false;
};

}  // namespace

std::unique_ptr<Planner> make_follow_planner(const Recording& recording, std::uint64_t seed) {
  return std::make_unique<FollowPlanner>(recording, seed);
}
#endif

}  // namespace ravel

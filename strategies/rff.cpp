// SPDX-License-Identifier: Apache-2.0
// rff: reads-from fuzzing. Wolff, Shi, Duck, Mathur, Roychoudhury: Greybox Fuzzing for Concurrency Testing, ASPLOS
// 2024. docs/strategies/rff.md explains the idea and the deviations.
//
// An abstract schedule is a short list of constraints "the read here sees the write there" or "does not see it". The
// planner keeps those that showed new reads-from pairs and mutates them; the chooser satisfies them by holding tasks
// back, on top of partial order sampling.
//
// Details: kConstraintWords words for each constraint, in the order of struct Constraint.
#include "base/random.h"

#include "strategies/environment_choices.h"
#include "strategies/halves.h"
#include "strategies/observed_order.h"
#include "strategies/order_sampling.h"
#include "strategies/plan_drawing.h"
#include "strategies/reads_from_constraint.h"
#include "strategies/store_choices.h"
#include "strategies/task_list.h"
#include "strategies/task_paths.h"
#include "strategies/task_table.h"
#ifndef RAVEL_IN_TARGET
#include "strategies/reads_from_corpus.h"
#endif

namespace ravel {
namespace {

// Choices while a task is held back. The others may never end (a task that polls); a yield counts as many choices.
constexpr std::uint32_t kPatience = 20'000;
constexpr std::uint32_t kYieldCosts = 64;

// Which constraints the latest write of each object satisfies. Of fixed size: what does not fit is forgotten, which
// only makes a constraint less strictly enforced.
class LatestWrites {
 public:
  // Nothing is erased: entries of earlier rounds do not count.
  void clear() {
    ++round_;
    if (round_ == 0) round_ = 1;
  }

  // nullptr: not written so far.
  const std::uint32_t* find(std::uint64_t object) const {
    for (std::uint32_t i = 0; i < kProbes; ++i) {
      const Entry& entry = entry_[(hash(object) + i) % kEntries];
      if (entry.round != round_) return nullptr;
      if (entry.object == object) return &entry.satisfies;
    }
    return nullptr;
  }

  void set(std::uint64_t object, std::uint32_t satisfies) {
    std::uint32_t at = hash(object);
    for (std::uint32_t i = 0; i < kProbes; ++i) {
      const Entry& entry = entry_[(hash(object) + i) % kEntries];
      if (entry.round == round_ && entry.object != object) continue;
      at = (hash(object) + i) % kEntries;
      break;
    }
    entry_[at] = Entry{object, round_, satisfies};
  }

 private:
  static constexpr std::uint32_t kEntries = 4096;
  static constexpr std::uint32_t kProbes = 8;

  struct Entry {
    std::uint64_t object = 0;
    std::uint32_t round = 0;
    std::uint32_t satisfies = 0;  // bit c: constraint c is about this write
  };

  static std::uint32_t hash(std::uint64_t object) {
    return static_cast<std::uint32_t>((object * 0x9e3779b97f4a7c15ULL) >> 52);
  }
  static_assert(kEntries == 1U << (64 - 52));

  std::uint32_t round_ = 0;
  Entry entry_[kEntries] = {};
};

// A constraint being enforced.
struct Enforced {
  Constraint rule = {};
  bool open = false;                // still to be satisfied
  TaskId reader = kNoTask;          // a task about to perform the read
  std::uint64_t reader_object = 0;  // where
};

// What the chooser knows about one task.
struct Kept {
  bool enabled = false;
  std::uint8_t by = 0;                        // + 1: the constraint that holds it back
  std::uint16_t reads[kMaxConstraints] = {};  // how often it performed the read of each constraint
  std::uint16_t writes[kMaxConstraints] = {};
};

// An operation, with what every constraint asks about it.
struct Event {
  const Operation& operation;
  const Kept& task;
  std::uint64_t path;
  bool reads;
  bool writes;

  bool is_read_of(std::uint32_t c, const Constraint& rule) const {
    return reads && rule.concerns(operation.object) && rule.read.fits(operation, path, task.reads[c] + 1U);
  }
  bool is_write_of(std::uint32_t c, const Constraint& rule) const {
    return writes && rule.write.pc != 0 && rule.concerns(operation.object) &&
           rule.write.fits(operation, path, task.writes[c] + 1U);
  }
};

constinit OrderSampling g_sampling;
constinit TaskPaths g_paths;
constinit LatestWrites g_latest;
constinit TaskList g_free;  // enabled and not held back
constinit TaskTable<Kept> g_kept;

class RffChooser final : public Chooser {
 public:
  constexpr RffChooser() = default;

  void begin(const Plan& plan, std::span<const std::uint64_t> details) override {
    g_sampling.begin(hash_mix(plan.seed, 0x726666ULL));  // different numbers than pos draws: a portfolio runs both
    g_paths.clear();
    g_latest.clear();
    g_free.clear();
    for (TaskId task = 0; task < used_; ++task) g_kept[task] = Kept{};
    used_ = 0;
    environment_.begin(plan);
    stores_.begin(plan);
    stepped_ = kNoTask;
    patience_ = kPatience;
    stale_ = false;
    count_ = 0;
    open_ = 0;
    while (count_ < kMaxConstraints && (count_ + 1) * kConstraintWords <= details.size()) {
      const Constraint rule = constraint_from_words(details.subspan(count_ * kConstraintWords, kConstraintWords));
      enforced_[count_++] = Enforced{rule, true, kNoTask, 0};
      ++open_;
    }
  }

  void on_pending(const Operation& operation) override {
    const TaskId task = operation.task;
    if (task >= used_) used_ = task + 1;
    if (!g_paths.contains(task)) g_paths.add(task, stepped_);
    g_sampling.add(operation);
    if (open_ == 0) return;
    const Event event = event_of(operation);
    note_reader(event);
    g_kept[task].by = keeper(event);
    update(task);
  }

  void on_enabled(TaskId task, bool enabled) override {
    if (task >= used_) used_ = task + 1;
    g_kept[task].enabled = enabled;
    // Constraints may have changed while it could not run.
    stale_ = stale_ || (enabled && open_ != 0);
    update(task);
  }

  void on_yield(TaskId task) override {
    g_sampling.yield(task);
    patience_ = patience_ > kYieldCosts ? patience_ - kYieldCosts : 0;
  }

  TaskId choose_task(const TaskChoice& choice) override {
    if (open_ != 0) settle(choice);
    if (g_free.size() == 0) return choice.enabled[0];
    return g_sampling.choose(choice, [](TaskId task) { return g_free.contains(task); });
  }

  void on_step(const Operation& operation) override {
    stepped_ = operation.task;
    if (open_ != 0) follow(operation);
    g_sampling.step(operation);
  }

  std::uint32_t choose_environment(EnvironmentKind kind, std::uint32_t options) override {
    return environment_.choose(kind, options);
  }

  std::uint32_t choose_store(std::uint32_t options) override { return stores_.choose(options); }

 private:
  void update(TaskId task) {
    const bool free = g_kept[task].enabled && g_kept[task].by == 0;
    g_free.set(task, free);
    g_sampling.set_enabled(task, free);
  }

  static Event event_of(const Operation& operation) {
    return {operation, g_kept[operation.task], g_paths.path(operation.task), sees(operation.kind),
            leaves(operation.kind)};
  }

  // Would a read now see the write the constraint names?
  bool is_latest(std::uint32_t c, std::uint64_t object) const {
    const std::uint32_t* satisfies = g_latest.find(object);
    return satisfies == nullptr ? enforced_[c].rule.write.pc == 0 : (*satisfies >> c & 1) != 0;
  }

  // Does constraint c hold this operation back?
  bool keeps(std::uint32_t c, const Event& event) const {
    const Enforced& enforced = enforced_[c];
    const Constraint& rule = enforced.rule;
    const Operation& operation = event.operation;
    if (!rule.concerns(operation.object)) return false;
    if (event.is_read_of(c, rule)) return is_latest(c, operation.object) == rule.negative;
    if (rule.negative) {
      // The reader is there and would see something else: it goes before this write does.
      return enforced.reader != kNoTask && enforced.reader != operation.task &&
             enforced.reader_object == operation.object && event.is_write_of(c, rule) &&
             !is_latest(c, operation.object);
    }
    // What the read is to see is there; nothing may come between. Without an address, "never written" fits everything.
    if (rule.write.pc == 0 && rule.object == 0) return false;
    if (rule.late && enforced.reader == kNoTask && event.is_write_of(c, rule)) return true;
    return overtakes(operation.kind) && is_latest(c, operation.object) && !event.is_write_of(c, rule);
  }

  // + 1; 0: no constraint holds it back.
  std::uint8_t keeper(const Event& event) const {
    const OperationKind kind = event.operation.kind;
    if (operation_role(kind) == OperationRole::local || on_task(kind)) return 0;
    for (std::uint32_t c = 0; c < count_; ++c) {
      if (enforced_[c].open && keeps(c, event)) return static_cast<std::uint8_t>(c + 1);
    }
    return 0;
  }

  void note_reader(const Event& event) {
    if (!event.reads) return;
    for (std::uint32_t c = 0; c < count_; ++c) {
      Enforced& enforced = enforced_[c];
      const bool matters = enforced.rule.negative || enforced.rule.late;
      if (!enforced.open || !matters || !event.is_read_of(c, enforced.rule)) continue;
      enforced.reader = event.operation.task;
      enforced.reader_object = event.operation.object;
      stale_ = true;
    }
  }

  // Updates which tasks are held back, and gives up constraints that can no longer be satisfied.
  void settle(const TaskChoice& choice) {
    if (stale_) look_again(choice);
    const bool somebody_waits = g_free.size() < choice.enabled.size();
    if (somebody_waits && patience_ != 0 && --patience_ == 0) {
      for (std::uint32_t c = 0; c < count_; ++c) close(c);
      look_again(choice);
    }
    while (g_free.size() == 0 || only_yielding()) {
      const std::uint32_t start = g_sampling.random().below(static_cast<std::uint32_t>(choice.enabled.size()));
      std::uint8_t by = 0;
      for (std::uint32_t i = 0; i < choice.enabled.size() && by == 0; ++i) {
        by = g_kept[choice.enabled[(start + i) % choice.enabled.size()]].by;
      }
      if (by == 0) break;
      close(by - 1U);
      look_again(choice);
    }
  }

  // Only a yielding task is left: it waits for one that is held back.
  bool only_yielding() const {
    const TaskId yielding = g_sampling.yielding();
    return g_free.size() == 1 && yielding != kNoTask && g_free.contains(yielding);
  }

  void look_again(const TaskChoice& choice) {
    stale_ = false;
    for (const TaskId task : choice.enabled) {
      g_kept[task].by = keeper(event_of(choice.pending[task]));
      update(task);
    }
  }

  void close(std::uint32_t c) {
    if (!enforced_[c].open) return;
    enforced_[c].open = false;
    --open_;
    stale_ = true;
    // No task is held back any more, and nothing will check again.
    if (open_ != 0) return;
    for (TaskId task = 0; task < used_; ++task) {
      if (g_kept[task].by == 0) continue;
      g_kept[task].by = 0;
      update(task);
    }
  }

  void follow(const Operation& operation) {
    const TaskId task = operation.task;
    const Event event = event_of(operation);
    if (!event.writes && !event.reads) return;
    Kept& kept = g_kept[task];
    std::uint32_t satisfies = 0;
    for (std::uint32_t c = 0; c < count_; ++c) {
      Enforced& enforced = enforced_[c];
      if (!enforced.open) continue;
      if (enforced.reader == task) {
        enforced.reader = kNoTask;
        stale_ = true;
      }
      if (!enforced.rule.concerns(operation.object)) continue;
      if (event.reads && operation.pc == enforced.rule.read.pc) {
        // Satisfied or missed: the others continue. What must not be seen must not be seen later, either.
        if (event.is_read_of(c, enforced.rule) && !enforced.rule.negative) close(c);
        ++kept.reads[c];
      }
      if (event.writes && operation.pc == enforced.rule.write.pc) {
        if (event.is_write_of(c, enforced.rule)) satisfies |= 1U << c;
        ++kept.writes[c];
      }
    }
    if (event.writes && open_ != 0) {
      const std::uint32_t* before = g_latest.find(operation.object);
      stale_ = stale_ || before == nullptr || *before != satisfies;
      g_latest.set(operation.object, satisfies);
    }
  }

  EnvironmentChoices environment_;
  StoreChoices stores_;
  TaskId stepped_ = kNoTask;  // the task that made the latest step
  TaskId used_ = 0;
  std::uint32_t patience_ = 0;
  std::uint32_t count_ = 0;
  std::uint32_t open_ = 0;  // constraints still to be satisfied
  bool stale_ = false;      // the held-back tasks must be recomputed
  Enforced enforced_[kMaxConstraints] = {};
};

constinit RffChooser g_chooser;

}  // namespace

Chooser& rff_chooser() { return g_chooser; }

#ifndef RAVEL_IN_TARGET
namespace {

class RffPlanner final : public Planner {
 public:
  explicit RffPlanner(std::uint64_t seed) : seed_(seed) {}

  PlannedExecution next(std::uint64_t execution) override {
    Random random = plan_random(seed_, execution);
    PlannedExecution planned{begin_plan(StrategyKind::rff, random)};
    planned.plan.trace = TraceLevel::operations;
    planned.details = words_from_constraints(corpus_.draw(random));
    draw_the_unusual(planned.plan, random);
    return planned;
  }

  void learn(const PlannedExecution& planned, const ExecutionView& view) override {
    const bool ours = planned.plan.strategy == StrategyKind::rff;
    corpus_.learn(ours ? constraints_from_words(planned.details) : AbstractSchedule{}, ours, view);
  }

 private:
  std::uint64_t seed_;
  ReadsFromCorpus corpus_;
};

}  // namespace

std::unique_ptr<Planner> make_rff_planner(std::uint64_t seed) { return std::make_unique<RffPlanner>(seed); }
#endif

}  // namespace ravel

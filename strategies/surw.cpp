// SPDX-License-Identifier: Apache-2.0
// surw: selectively uniform random walk. Zhao et al.: Selectively Uniform Concurrency Testing, ASPLOS 2025.
// docs/strategies/surw.md explains the idea and the deviations.
//
// Each execution picks a small set of interesting operations, Delta, and samples their orders uniformly: one task,
// drawn by how many operations of Delta each has left, is intended; any other task that reaches an operation of Delta
// waits; all others run freely, as under `random`. After an operation of Delta the next task is drawn.
//
// Details, in words:
//   flags, number of patterns, number of tasks, weight of a task that is not listed
//   per pattern: pc, object; 0 means any. An operation is in Delta when some pattern matches.
//   per task, sorted by path: path, weight of one operation, weight of it and all tasks that descend from it
#include "base/random.h"

#include "strategies/environment_choices.h"
#include "strategies/halves.h"
#include "strategies/observed_order.h"
#include "strategies/plan_drawing.h"
#include "strategies/store_choices.h"
#include "strategies/switch_power.h"
#include "strategies/task_list.h"
#include "strategies/task_paths.h"
#include "strategies/task_table.h"
#include "strategies/weight_tree.h"
#ifndef RAVEL_IN_TARGET
#include <algorithm>
#include <map>
#include <optional>

#include "strategies/profile.h"
#endif

namespace ravel {
namespace {

constexpr std::uint64_t kEverything = 1;  // flag: every operation is in Delta
constexpr std::size_t kHeaderWords = 4;
constexpr std::size_t kPatternWords = 2;
constexpr std::size_t kTaskWords = 3;

// Tasks that run freely may never end (a task that polls). A yield counts as many steps.
constexpr std::uint32_t kPatience = 20'000;
constexpr std::uint32_t kYieldCosts = 64;

// What the chooser knows about one task.
struct Walker {
  std::uint64_t unit = 0;  // weight of one operation of Delta; 0: unknown, use that of others
  bool selects = false;    // its pending operation is in Delta
  bool enabled = false;
};

constinit TaskPaths g_paths;
constinit WeightTree g_weights;  // of what each task and its descendants have left of Delta
constinit TaskList g_free;       // enabled, and not waiting
constinit TaskTable<Walker> g_walkers;

class SurwChooser final : public Chooser {
 public:
  constexpr SurwChooser() = default;

  void begin(const Plan& plan, std::span<const std::uint64_t> details) override {
    g_paths.clear();
    g_weights.clear();
    g_free.clear();
    for (TaskId task = 0; task < used_; ++task) g_walkers[task] = Walker{};
    used_ = 0;
    random_ = Random(plan.seed);
    power_ = switch_power(plan);
    environment_.begin(plan);
    stores_.begin(plan);
    intended_ = kNoTask;
    stepped_ = kNoTask;
    yielding_ = kNoTask;
    patience_ = kPatience;
    read(details);
  }

  void on_pending(const Operation& operation) override {
    const TaskId task = operation.task;
    if (!g_paths.contains(task)) enter(task);
    g_walkers[task].selects = in_delta(operation);
    update(task);
  }

  void on_enabled(TaskId task, bool enabled) override {
    if (task >= used_) used_ = task + 1;
    g_walkers[task].enabled = enabled;
    update(task);
  }

  void on_yield(TaskId task) override {
    yielding_ = task;
    patience_ = patience_ > kYieldCosts ? patience_ - kYieldCosts : 0;
  }

  TaskId choose_task(const TaskChoice& choice) override {
    const std::uint32_t free = g_free.size();
    // Only waiting tasks are left, or the others wait for them.
    if (free == 0 || (free == 1 && yielding_ != kNoTask && g_free.contains(yielding_)) || patience_ == 0) {
      const TaskId drawn = draw_waiting(choice);
      if (drawn != kNoTask) return drawn;
      if (free == 0) return choice.enabled[0];
    }
    if (free < choice.enabled.size() && patience_ != 0) --patience_;
    if (free == 1) return g_free[0];
    const bool can_stay = choice.current_enabled && g_free.contains(choice.current);
    if (!can_stay) return g_free[random_.below(free)];
    if (choice.current != yielding_ && !random_.one_in_power_of_two(power_)) return choice.current;
    const TaskId other = g_free[random_.below(free - 1)];
    return other != choice.current ? other : g_free[free - 1];
  }

  void on_step(const Operation& operation) override {
    const TaskId task = operation.task;
    stepped_ = task;
    yielding_ = kNoTask;
    Walker& walker = g_walkers[task];
    if (operation.kind == OperationKind::task_end) {
      g_weights.set_weight(task, 0);
      if (intended_ == task) draw_intended();
    } else if (walker.selects) {
      const std::uint64_t left = g_weights.weight(task);
      const std::uint64_t unit = unit_of(walker);
      g_weights.set_weight(task, left > unit ? left - unit : 0);
      patience_ = kPatience;
      draw_intended();
    }
    walker.selects = false;
    update(task);
  }

  std::uint32_t choose_environment(EnvironmentKind kind, std::uint32_t options) override {
    return environment_.choose(kind, options);
  }

  std::uint32_t choose_store(std::uint32_t options) override { return stores_.choose(options); }

 private:
  void read(std::span<const std::uint64_t> details) {
    flags_ = 0;
    unlisted_ = 0;
    patterns_ = {};
    tasks_ = {};
    if (details.size() < kHeaderWords) return;
    const std::span<const std::uint64_t> rest = details.subspan(kHeaderWords);
    const std::uint64_t most = rest.size();
    if (details[1] > most / kPatternWords || details[2] > (most - details[1] * kPatternWords) / kTaskWords) return;
    flags_ = details[0];
    unlisted_ = details[3];
    patterns_ = rest.first(details[1] * kPatternWords);
    tasks_ = rest.subspan(patterns_.size(), details[2] * kTaskWords);
  }

  bool in_delta(const Operation& operation) const {
    if (patterns_.empty() && (flags_ & kEverything) == 0) return false;
    if (operation.kind == OperationKind::task_end || operation.kind == OperationKind::task_start) return false;
    if ((flags_ & kEverything) != 0) return !releases(operation.kind);
    if (!is_ordered(operation.kind)) return false;
    for (std::size_t i = 0; i < patterns_.size(); i += kPatternWords) {
      const bool here = patterns_[i] == 0 || patterns_[i] == operation.pc;
      if (here && (patterns_[i + 1] == 0 || patterns_[i + 1] == operation.object)) return true;
    }
    return false;
  }

  // A task appears: what it and its descendants have to do has counted as its creator's so far.
  void enter(TaskId task) {
    if (task >= used_) used_ = task + 1;
    g_paths.add(task, stepped_);
    const std::uint64_t* listed = find(g_paths.path(task));
    g_walkers[task].unit = listed != nullptr ? listed[1] : 0;
    const std::uint64_t weight = listed != nullptr ? listed[2] : unlisted_;
    g_weights.set_weight(task, weight);
    if (task == 0) {
      draw_intended();
      return;
    }
    const TaskId creator = stepped_ == kNoTask ? 0 : stepped_;
    if (listed == nullptr || weight == 0) return;
    const std::uint64_t before = g_weights.weight(creator);
    const std::uint64_t left = before > weight ? before - weight : 0;
    g_weights.set_weight(creator, left);
    // The draw was for the creator or for this child: which of them is decided now that there are two.
    if (intended_ == creator && WeightTree::below(random_, left + weight) < weight) intend(task);
  }

  // Path, unit and weight of a listed task.
  const std::uint64_t* find(std::uint64_t path) const {
    std::size_t low = 0;
    std::size_t high = tasks_.size() / kTaskWords;
    while (low < high) {
      const std::size_t middle = low + (high - low) / 2;
      const std::uint64_t* entry = &tasks_[middle * kTaskWords];
      if (entry[0] == path) return entry;
      if (entry[0] < path) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return nullptr;
  }

  std::uint64_t unit_of(const Walker& walker) const {
    if (walker.unit != 0) return walker.unit;
    return unlisted_ != 0 ? unlisted_ : 1;
  }

  void update(TaskId task) {
    const Walker& walker = g_walkers[task];
    g_free.set(task, walker.enabled && (!walker.selects || task == intended_));
  }

  void intend(TaskId task) {
    const TaskId before = intended_;
    intended_ = task;
    if (before != kNoTask) update(before);
    if (task != kNoTask) update(task);
  }

  void draw_intended() { intend(g_weights.total() != 0 ? g_weights.draw(random_) : kNoTask); }

  // A task waiting at an operation of Delta has one left, whatever the estimate says.
  TaskId draw_waiting(const TaskChoice& choice) {
    std::uint64_t total = 0;
    for (const TaskId task : choice.enabled) total += waiting_weight(task);
    if (total == 0) return kNoTask;
    std::uint64_t at = WeightTree::below(random_, total);
    for (const TaskId task : choice.enabled) {
      const std::uint64_t weight = waiting_weight(task);
      if (at < weight) {
        intend(task);
        patience_ = kPatience;
        return task;
      }
      at -= weight;
    }
    return kNoTask;
  }

  std::uint64_t waiting_weight(TaskId task) const {
    const Walker& walker = g_walkers[task];
    if (!walker.selects || task == intended_) return 0;
    const std::uint64_t weight = g_weights.weight(task);
    const std::uint64_t least = unit_of(walker);
    return weight > least ? weight : least;
  }

  Random random_;
  EnvironmentChoices environment_;
  StoreChoices stores_;
  unsigned power_ = 1;
  std::uint64_t flags_ = 0;
  std::uint64_t unlisted_ = 0;
  std::span<const std::uint64_t> patterns_;
  std::span<const std::uint64_t> tasks_;
  TaskId used_ = 0;
  TaskId intended_ = kNoTask;  // the only one that may perform an operation of Delta
  TaskId stepped_ = kNoTask;   // who made the latest step
  TaskId yielding_ = kNoTask;  // who yielded since
  std::uint32_t patience_ = 0;
};

constinit SurwChooser g_chooser;

}  // namespace

Chooser& surw_chooser() { return g_chooser; }

#ifndef RAVEL_IN_TARGET
namespace {

constexpr double kUnit = 1U << 16;  // weight of one operation when all weigh the same
constexpr std::size_t kMostPatterns = 64;
constexpr std::size_t kMostListed = (kMaxPlanDetails - kHeaderWords - kMostPatterns * kPatternWords) / kTaskWords;

struct Pattern {
  std::uint64_t pc = 0;
  std::uint64_t object = 0;
};

struct Delta {
  bool everything = false;
  std::vector<Pattern> patterns = {};

  bool contains(const Profile::Cell& cell) const {
    if (!is_ordered(cell.kind)) return false;
    return std::any_of(patterns.begin(), patterns.end(), [&](const Pattern& pattern) {
      return (pattern.pc == 0 || pattern.pc == cell.pc) && (pattern.object == 0 || pattern.object == cell.object);
    });
  }
};

class SurwPlanner final : public Planner {
 public:
  explicit SurwPlanner(std::uint64_t seed) : seed_(seed) {}

  PlannedExecution next(std::uint64_t execution) override {
    Random random = plan_random(seed_, execution);
    PlannedExecution planned{begin_plan(StrategyKind::surw, random)};
    draw_switch_power(planned.plan, random);
    if (profile_.wants_trace()) planned.plan.trace = TraceLevel::operations;
    if (!profile_.shared().empty()) planned.details = describe(draw_delta(random), random);
    draw_the_unusual(planned.plan, random);
    return planned;
  }

  void learn(const PlannedExecution&, const ExecutionView& view) override { profile_.learn(view); }

 private:
  // Code that uses many objects alike (the nodes of a list) counts as much as code that uses one.
  const Profile::SharedObject& draw_object(Random& random) const {
    const auto& shared = profile_.shared();
    const auto at = [&](std::size_t size) { return random.below(static_cast<std::uint32_t>(size)); };
    if (random.below(2) == 0) return shared[at(shared.size())];
    const std::uint32_t family = random.below(profile_.families());
    const auto members =
        std::count_if(shared.begin(), shared.end(), [&](const auto& object) { return object.family == family; });
    std::uint32_t left = at(static_cast<std::size_t>(members));
    for (const auto& object : shared) {
      if (object.family == family && left-- == 0) return object;
    }
    return shared.front();
  }

  Delta draw_delta(Random& random) const {
    Delta delta;
    const Profile::SharedObject& object = draw_object(random);
    switch (random.below(8)) {
      case 0:
        delta.everything = true;
        break;
      case 1: {  // two locations that conflict
        const auto pick = [&](const std::vector<std::uint64_t>& from) {
          return from[random.below(static_cast<std::uint32_t>(from.size()))];
        };
        delta.patterns = {{pick(object.writing_locations), object.object}, {pick(object.locations), object.object}};
        break;
      }
      case 2:  // two objects together
        delta.patterns = {{0, object.object}, {0, draw_object(random).object}};
        break;
      case 3:  // everything that this code touches
        for (const std::uint64_t pc : object.locations) {
          if (delta.patterns.size() < kMostPatterns) delta.patterns.push_back({pc, 0});
        }
        break;
      default:
        delta.patterns = {{0, object.object}};
    }
    return delta;
  }

  struct Share {
    double own = 0;               // operations of Delta
    std::uint64_t signature = 0;  // tasks that do the same in Delta have the same
    double unit = kUnit;
    double weight = 0;  // including all its descendants
  };

  std::vector<std::uint64_t> describe(const Delta& delta, Random& random) const {
    const auto& tasks = profile_.tasks();
    std::map<std::uint64_t, std::size_t> index;
    std::vector<Share> shares(tasks.size());
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      index[tasks[i].path] = i;
      if (delta.everything) shares[i].own = tasks[i].steps;
    }
    for (const Profile::Cell& cell : profile_.cells()) {
      if (!delta.everything && !delta.contains(cell)) continue;
      const auto at = index.find(cell.task);
      if (at == index.end()) continue;
      Share& share = shares[at->second];
      if (!delta.everything) share.own += cell.count;
      // A sum: the order of the cells does not matter.
      share.signature += hash_mix(cell.pc, static_cast<std::uint64_t>(cell.kind));
    }
    if (random.below(2) == 0) balance(shares, random);
    double total = 0;
    for (std::size_t i = tasks.size(); i-- > 0;) {
      shares[i].weight += shares[i].own * shares[i].unit;
      total += shares[i].own * shares[i].unit;
      if (tasks[i].creator == 0) continue;
      const auto creator = index.find(tasks[i].creator);
      if (creator != index.end()) shares[creator->second].weight += shares[i].weight;
    }
    std::vector<std::uint64_t> details = {delta.everything ? kEverything : 0, delta.patterns.size(), 0,
                                          static_cast<std::uint64_t>(total / static_cast<double>(tasks.size()))};
    for (const Pattern& pattern : delta.patterns) details.insert(details.end(), {pattern.pc, pattern.object});
    for (const auto& [path, i] : index) {
      if (details[2] == kMostListed) break;
      ++details[2];
      const auto unit = static_cast<std::uint64_t>(shares[i].unit);
      details.insert(details.end(), {path, unit > 0 ? unit : 1, static_cast<std::uint64_t>(shares[i].weight)});
    }
    return details;
  }

  // Among a hundred tasks that do the same and one that does something else, that one would come first once in a
  // hundred executions. Here the two kinds come first equally often, or one of them much more often than the other.
  static void balance(std::vector<Share>& shares, Random& random) {
    std::map<std::uint64_t, double> operations;
    for (const Share& share : shares) {
      if (share.own > 0) operations[share.signature] += share.own;
    }
    std::map<std::uint64_t, double> tilt;
    for (const auto& [signature, count] : operations) {
      constexpr double kTilts[] = {1, 1, 16, 1.0 / 16};
      tilt[signature] = kTilts[random.below(4)];
    }
    for (Share& share : shares) {
      if (share.own > 0) share.unit = kUnit * kUnit / operations[share.signature] * tilt[share.signature];
    }
  }

  std::uint64_t seed_;
  Profile profile_;
};

}  // namespace

std::unique_ptr<Planner> make_surw_planner(std::uint64_t seed) { return std::make_unique<SurwPlanner>(seed); }
#endif

}  // namespace ravel

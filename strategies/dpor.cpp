// SPDX-License-Identifier: Apache-2.0
// dpor: one execution of each partial order. Abdulla, Aronis, Jonsson, Sagonas: Optimal Dynamic Partial Order
// Reduction, POPL 2014. docs/strategies/dpor.md explains the idea, blocking, weak memory, and the deviations.
//
// The planner keeps the path of the latest execution: at each step which tasks sleep (what they would do next has
// already been explored from here), and a wakeup tree of what is still to be explored from here. The chooser follows
// the prefix, then runs any task that is enabled and does not sleep.
#include <algorithm>

#include "strategies/dependence.h"
#include "strategies/halves.h"
#include "strategies/search_window.h"

#ifndef RAVEL_IN_TARGET
#include <optional>
#include <unordered_set>
#include <utility>
#include <vector>

#include "strategies/partial_order.h"
#include "strategies/plan_drawing.h"
#include "strategies/search_prefix.h"
#include "strategies/wakeup_tree.h"
#endif

namespace ravel {
namespace {

// What the planner passes on, in this order, and then what limits the search to a window. Tasks from 64 on never sleep.
enum Detail : std::uint8_t { kPrefixSteps, kSleeping, kWeakMemory, kDetails };

class DporChooser final : public Chooser {
 public:
  constexpr DporChooser() = default;

  void begin(const Plan&, std::span<const std::uint64_t> details) override {
    const bool told = details.size() >= kDetails;
    prefix_ = told ? details[kPrefixSteps] : 0;
    sleeping_ = told ? details[kSleeping] : 0;
    weak_memory_ = told && details[kWeakMemory] != 0;
    steps_ = 0;
    yielding_ = kNoTask;
    focus_.begin(told ? details.subspan(kDetails) : details);
  }

  void on_pending(const Operation& operation) override {
    focus_.on_pending(operation);
    if (operation.task < kTasks) pending_[operation.task] = operation;
  }
  void on_enabled(TaskId, bool) override {}
  void on_yield(TaskId task) override { yielding_ = task; }

  TaskId choose_task(const TaskChoice& choice) override {
    const bool limited = focus_.is_active() && focus_.wants_any_of(choice.enabled);
    const auto held = [&](TaskId task) { return limited && !focus_.wants(task); };
    if (choice.current_enabled && choice.current != yielding_ && !sleeps(choice.current) && !held(choice.current))
      return choice.current;
    // The next one in order of creation, whatever the order of the list.
    TaskId first = kNoTask;
    TaskId next = kNoTask;
    for (const TaskId task : choice.enabled) {
      if (sleeps(task) || held(task)) continue;
      if (task < first) first = task;
      if (task > choice.current && task < next) next = task;
    }
    if (next != kNoTask) return next;
    if (first != kNoTask) return first;
    return *std::min_element(choice.enabled.begin(), choice.enabled.end());  // redundant: the planner will see it
  }

  void on_step(const Operation& operation) override {
    yielding_ = kNoTask;
    focus_.on_step(operation);
    if (steps_++ < prefix_ || sleeping_ == 0) return;
    if (operation.task < kTasks) sleeping_ &= ~(std::uint64_t{1} << operation.task);
    for (std::uint64_t rest = sleeping_; rest != 0; rest &= rest - 1) {
      const auto task = static_cast<TaskId>(__builtin_ctzll(rest));
      if (dependent(pending_[task], operation, weak_memory_)) sleeping_ &= ~(std::uint64_t{1} << task);
    }
  }

  std::uint32_t choose_environment(EnvironmentKind, std::uint32_t) override { return 0; }

 private:
  static constexpr TaskId kTasks = 64;
  bool sleeps(TaskId task) const { return task < kTasks && ((sleeping_ >> task) & 1) != 0; }

  std::uint64_t prefix_ = 0;
  std::uint64_t sleeping_ = 0;
  std::uint64_t steps_ = 0;
  TaskId yielding_ = kNoTask;
  bool weak_memory_ = false;
  WindowFocus focus_;
  Operation pending_[kTasks] = {};
};

constinit DporChooser g_chooser;

}  // namespace

Chooser& dpor_chooser() { return g_chooser; }

#ifndef RAVEL_IN_TARGET
namespace {

// Steps in all wakeup trees together. What does not fit is not explored, and the search is not complete.
constexpr std::size_t kMaxWakeupSteps = std::size_t{1} << 22;

bool blocks_on_lock(OperationKind kind) {
  switch (kind) {
    case OperationKind::mutex_lock:
    case OperationKind::mutex_timed_lock:
    case OperationKind::spin_lock:
    case OperationKind::once_begin:
    case OperationKind::guard_acquire:
      return true;
    default:
      return false;
  }
}

// Before this event, was its lock free?
bool found_lock_free(const PartialOrder::Event& event) {
  switch (event.operation.kind) {
    case OperationKind::mutex_lock:
    case OperationKind::mutex_timed_lock:
    case OperationKind::mutex_try_lock:
    case OperationKind::spin_lock:
    case OperationKind::spin_try_lock:
      return (event.flags & kTraceChanged) != 0;  // it took it; otherwise it was busy, or already its own
    case OperationKind::once_begin:
    case OperationKind::guard_acquire:
    case OperationKind::mutex_destroy:
      return true;
    default:
      // Accesses to the bytes of a static variable's guard do not say; the execution will show it.
      return is_memory_access(event.operation.kind);
  }
}

// Readers, writer and queueing writers of one read-write lock, counted along a sequence of events. Only writers of
// writer-preferring locks queue.
class LockUsers {
 public:
  explicit LockUsers(std::uint64_t lock) : lock_(lock) {}
  void see(const PartialOrder::Event& event) {
    const Operation& operation = event.operation;
    if (operation.object != lock_) return;
    const bool took = (event.flags & kTraceChanged) != 0;
    switch (operation.kind) {
      case OperationKind::rwlock_read_lock:
      case OperationKind::rwlock_try_read_lock:
        if (took) ++readers_;
        break;
      case OperationKind::rwlock_queue_writer:
        queue_ |= std::uint64_t{1} << operation.task;
        break;
      case OperationKind::rwlock_write_lock:
        queue_ &= ~(std::uint64_t{1} << operation.task);
        [[fallthrough]];
      case OperationKind::rwlock_try_write_lock:
        if (took) ++writers_;
        break;
      case OperationKind::rwlock_unlock:
        --(operation.value == 1 ? readers_ : writers_);
        break;
      default:
        break;
    }
  }
  bool may_enter(const Operation& operation) const {
    return writers_ <= 0 && (operation.kind == OperationKind::rwlock_read_lock ? queue_ == 0 : readers_ <= 0);
  }

 private:
  std::uint64_t lock_;
  int readers_ = 0;
  int writers_ = 0;
  std::uint64_t queue_ = 0;  // by task
};

class DporPlanner final : public Planner {
 public:
  explicit DporPlanner(std::uint64_t seed) : seed_(seed) {}
  DporPlanner(std::uint64_t seed, SearchWindow window) : seed_(seed), window_(std::move(window)) {}

  PlannedExecution next(std::uint64_t execution) override {
    PlannedExecution planned{search_plan(StrategyKind::dpor, plan_random(seed_, execution).next())};
    planned.prefix = prefix();
    std::uint64_t sleeping = 0;
    for (const Operation& sleeper : sleep_at_end()) sleeping |= std::uint64_t{1} << sleeper.task;
    planned.details = {path_.size(), sleeping, weak_memory_ ? 1U : 0U};
    if (window_) {
      planned.prefix.insert(planned.prefix.begin(), window_->prefix.begin(), window_->prefix.end());
      planned.details[kPrefixSteps] += window_->steps;
      const std::vector<std::uint64_t> limits = window_details(*window_);
      planned.details.insert(planned.details.end(), limits.begin(), limits.end());
    }
    under_way_ = true;
    return planned;
  }

  void learn(const PlannedExecution&, const ExecutionView& view) override {
    under_way_ = false;
    if (finished_) return;
    if (window_) {
      const bool missed = view.summary.outcome == Outcome::diverged && view.summary.divergence.step < window_->steps;
      if (view.new_sites != 0 || missed || view.trace.size() < window_->steps) {
        complete_ = false;
        finished_ = true;
        return;
      }
      const WindowView inside(*window_, view);
      search(inside.view());
      return;
    }
    if (view.new_sites != 0) {
      restart();
      return;
    }
    search(view);
  }

  bool ready() const override { return !under_way_ && !finished_; }
  bool finished() const override { return finished_; }
  bool complete() const override { return finished_ && complete_; }

  bool progress(SearchProgress& progress) const override {
    progress.explored = explored_;
    progress.redundant = redundant_;
    progress.classes = classes_.size();
    const double part = finished_ ? 1 : explored_part();
    progress.estimate = part > 0 ? static_cast<double>(explored_) / part : 0;
    return true;
  }

 private:
  // A choice of a step, all answers to which are explored: first the one that came up, then the others in order.
  struct Answer {
    PartialOrder::Choice choice;
    std::uint32_t first = 0;
    std::uint32_t tried = 1;
    bool open = false;

    bool advance() {
      if (!open || tried >= choice.options) return false;
      // The n-th answer is n - 1, or n once the first one has been passed.
      choice.taken = tried - 1 < first ? tried - 1 : tried;
      ++tried;
      return true;
    }
  };

  // Learns from an execution and plans the next.
  void search(const ExecutionView& view) {
    weak_memory_ = view.summary.weak_memory != 0;
    const PartialOrder order(view);
    if (view.summary.outcome == Outcome::diverged) {
      give_up_on_branch(order, static_cast<DivergenceReason>(view.summary.divergence.reason));
      return;
    }
    if (!is_reliable(view)) complete_ = false;
    const bool redundant = follow(order);
    if (redundant || !classes_.insert(order.class_hash()).second) {
      ++redundant_;
    } else {
      ++explored_;
    }
    reverse_races(order);
    advance();
  }

  // A point of the path: what has been explored from here, and the step that is being explored.
  struct Node {
    std::vector<Operation> sleep;        // by task: what has been explored from here or from earlier nodes
    std::vector<WakeupBranch> branches;  // what is still to be explored
    std::uint32_t done = 0;              // branches explored
    bool fresh = true;                   // not executed yet
    Operation operation = {};
    std::vector<Answer> answers;
  };

  void restart() {
    path_.clear();
    classes_.clear();
    explored_ = 0;
    redundant_ = 0;
    wakeup_steps_ = 0;
    branch_at_ = 0;
    complete_ = true;
  }

  std::vector<DecisionRun> prefix() const {
    std::vector<DecisionRun> prefix;
    for (const Node& node : path_) {
      append_task(prefix, node.operation.task);
      for (const Answer& answer : node.answers) {
        append_choice(prefix, answer.choice.kind, answer.choice.detail, answer.choice.taken);
      }
    }
    return prefix;
  }

  // A sleeping task stays asleep until something dependent happens.
  std::vector<Operation> sleep_after(const Node& node) const {
    std::vector<Operation> sleep;
    for (const Operation& sleeper : node.sleep) {
      if (sleeper.task == node.operation.task || dependent(sleeper, node.operation, weak_memory_)) continue;
      sleep.push_back(sleeper);
    }
    return sleep;
  }
  std::vector<Operation> sleep_at_end() const {
    return path_.empty() ? std::vector<Operation>{} : sleep_after(path_.back());
  }

  // Makes path_ the path of the execution. True: from some step on it repeats what has already been explored, and the
  // path ends there.
  bool follow(const PartialOrder& order) {
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (i == path_.size()) {
        Node node;
        node.sleep = sleep_at_end();
        for (const Operation& sleeper : node.sleep) {
          if (sleeper.task == order[i].task()) return true;
        }
        path_.push_back(std::move(node));
      }
      Node& node = path_[i];
      node.operation = order[i].operation;
      const std::vector<PartialOrder::Choice>& choices = order[i].choices;
      const std::size_t known = node.fresh ? 0 : std::min(node.answers.size(), choices.size());
      node.answers.resize(known);
      for (std::size_t c = known; c < choices.size(); ++c) {
        const bool open = is_explored(choices[c]) && !is_covered(order, i, choices[c]);
        node.answers.push_back({choices[c], choices[c].taken, 1, open});
      }
      node.fresh = false;
    }
    path_.resize(order.size());
    return false;
  }

  // The newest store came from a task that could also have stored later. What the operation would see among the older
  // ones it also sees there.
  static bool is_covered(const PartialOrder& order, std::size_t at, const PartialOrder::Choice& choice) {
    const PartialOrder::Event& event = order[at];
    if (choice.kind != DecisionKind::reads_from || choice.taken != 0 || event.store == 0 || event.store > at)
      return false;
    const std::size_t store = event.store - 1;
    if (order[store].task() == event.task()) return false;
    const auto knows = [&](std::int64_t other) {
      return other >= 0 && order.before(store, static_cast<std::size_t>(other));
    };
    return !knows(event.previous) && !knows(event.enabler);
  }

  // A planned step could not be made.
  void give_up_on_branch(const PartialOrder& order, DivergenceReason reason) {
    ++redundant_;
    const std::size_t made = std::min(order.size(), path_.size());
    if (reason == DivergenceReason::task_not_enabled && made > branch_at_ && made < path_.size()) {
      path_.resize(made);  // as far as it goes, and freely from there
      return;
    }
    if (reason == DivergenceReason::task_not_enabled && made == branch_at_ && made < path_.size()) {
      path_.resize(made + 1);  // what seemed possible here is not
      if (!take_next_branch()) advance();
      return;
    }
    complete_ = false;  // what worked before no longer does
    path_.resize(made);
    if (!path_.empty()) path_.back().answers.clear();
    advance();
  }

  // -- races ----------------------------------------------------------------------------------------------------------

  void reverse_races(const PartialOrder& order) {
    for (std::size_t i = 0; i < order.size(); ++i) {
      const PartialOrder::Event& event = order[i];
      reverse_races_with(order, i, event.operation, event.previous, event.enabler);
    }
    for (const Operation& operation : order.pending()) {
      reverse_races_with(order, order.size(), operation, order.latest(operation.task, order.size()), -1);
    }
  }

  // `second`: an event, or order.size() for an operation that was never performed.
  void reverse_races_with(const PartialOrder& order, std::size_t second, const Operation& operation,
                          std::int64_t previous, std::int64_t enabler) {
    const bool waits_for_enabler =
        enabler >= 0 && !dependent(order[static_cast<std::size_t>(enabler)].operation, operation, weak_memory_);
    std::vector<std::size_t> reversed;
    std::vector<std::size_t> in_the_way;  // readers of a lock that a writer waits for, or the queue ahead of a reader
    for (std::size_t first = second; first-- > 0;) {
      const PartialOrder::Event& event = order[first];
      if (event.task() == operation.task || !dependent(event.operation, operation, weak_memory_)) continue;
      if (previous >= 0 && order.before(first, static_cast<std::size_t>(previous))) continue;
      if (waits_for_enabler && order.before(first, static_cast<std::size_t>(enabler))) continue;
      const bool covered =
          std::any_of(reversed.begin(), reversed.end(), [&](std::size_t other) { return order.before(first, other); });
      if (covered) continue;
      if (can_come_first(order, {first}, operation, previous)) {
        reversed.push_back(first);
        reverse(order, {first}, operation);
      } else if (is_in_the_way(event)) {
        in_the_way.push_back(first);
        if (in_the_way.size() > 1 && can_come_first(order, in_the_way, operation, previous))
          reverse(order, in_the_way, operation);
      }
    }
  }

  // Operations on a read-write lock that keep others out jointly with operations of the same kind.
  static bool is_in_the_way(const PartialOrder::Event& event) {
    if (event.operation.kind == OperationKind::rwlock_queue_writer) return true;
    return event.operation.kind == OperationKind::rwlock_read_lock && (event.flags & kTraceChanged) != 0;
  }

  // The events after the earliest of `events` that do not depend on any of them.
  static std::vector<std::size_t> independent_rest(const PartialOrder& order, const std::vector<std::size_t>& events) {
    std::vector<std::size_t> rest;
    for (std::size_t i = events.back() + 1; i < order.size(); ++i) {
      if (std::none_of(events.begin(), events.end(), [&](std::size_t event) { return order.before(event, i); })) {
        rest.push_back(i);
      }
    }
    return rest;
  }

  // Could `operation` be performed before these events (latest first), along with everything that does not come after
  // them?
  bool can_come_first(const PartialOrder& order, const std::vector<std::size_t>& events, const Operation& operation,
                      std::int64_t previous) const {
    const std::size_t first = events.back();
    const PartialOrder::Event& event = order[first];
    const bool was_pending = previous < static_cast<std::int64_t>(first);
    const bool was_enabled = ((event.enabled >> operation.task) & 1) != 0;
    if (operation.kind == OperationKind::semaphore_wait || operation.kind == OperationKind::sync_wait) {
      const OperationKind gives =
          operation.kind == OperationKind::sync_wait ? OperationKind::sync_notify : OperationKind::semaphore_post;
      std::uint64_t units = event.before;
      for (const std::size_t i : independent_rest(order, events)) {
        const Operation& other = order[i].operation;
        if (other.kind == gives && other.object == operation.object) ++units;
      }
      return event.operation.object == operation.object ? units > 0 : was_enabled;
    }
    if (operation.kind == OperationKind::rwlock_read_lock || operation.kind == OperationKind::rwlock_write_lock) {
      LockUsers users(operation.object);
      for (std::size_t i = 0; i < first; ++i) users.see(order[i]);
      for (const std::size_t i : independent_rest(order, events)) users.see(order[i]);
      return users.may_enter(operation);
    }
    if (was_pending) return was_enabled;
    if (blocks_on_lock(operation.kind)) return found_lock_free(event);
    if (operation.kind == OperationKind::task_join) return operation.value == 1;
    return true;  // a spinning loop may not be able to: the execution will show it
  }

  // Makes the planner explore `operation` before these events.
  void reverse(const PartialOrder& order, const std::vector<std::size_t>& events, const Operation& operation) {
    const std::size_t first = events.back();
    if (first >= path_.size()) return;
    const std::vector<std::size_t> rest = independent_rest(order, events);
    WakeupSequence sequence(weak_memory_);
    bool whole = true;
    for (std::size_t n = 0; n < rest.size() && whole; ++n) {
      std::vector<PartialOrder::Choice> choices = order[rest[n]].choices;
      // Which stores are visible may differ there, and has to be found out again.
      whole = std::none_of(choices.begin(), choices.end(), [](const PartialOrder::Choice& choice) {
        return choice.kind == DecisionKind::reads_from && choice.taken != 0;
      });
      if (!whole) choices.clear();
      sequence.push(order[rest[n]].operation, std::move(choices),
                    [&](std::size_t i) { return order.before(rest[i], rest[n]); });
    }
    if (whole) {
      sequence.push(operation, {}, [&](std::size_t i) {
        const Operation& other = order[rest[i]].operation;
        return other.task == operation.task || dependent(other, operation, weak_memory_);
      });
    }
    Node& node = path_[first];
    std::size_t place = 0;
    for (const Operation& sleeper : node.sleep) {
      if (sequence.may_begin_with(sleeper, place)) return;
    }
    if (wakeup_steps_ + rest.size() + 1 > kMaxWakeupSteps) {
      complete_ = false;
      return;
    }
    wakeup_steps_ += sequence.insert_into(node.branches);
  }

  // -- the next execution ---------------------------------------------------------------------------------------------

  // Goes to the deepest place where something is left; path_ then ends with the first steps to make there.
  void advance() {
    while (!path_.empty()) {
      Node& node = path_.back();
      while (!node.answers.empty()) {
        if (node.answers.back().advance()) {
          branch_at_ = path_.size() - 1;
          return;
        }
        node.answers.pop_back();
      }
      node.sleep.push_back(node.operation);
      ++node.done;
      if (take_next_branch()) return;
    }
    finished_ = true;
  }

  // At the end of the path. False: there is no branch left, and the path is one shorter.
  bool take_next_branch() {
    if (path_.back().branches.empty()) {
      path_.pop_back();
      if (path_.empty()) finished_ = true;
      return false;
    }
    branch_at_ = path_.size() - 1;
    WakeupBranch branch = take_first(path_.back().branches);
    while (true) {
      Node& node = path_.back();
      node.fresh = true;
      node.operation = branch.operation;
      node.answers.clear();
      for (const PartialOrder::Choice& choice : branch.choices)
        node.answers.push_back({choice, choice.taken, 1, false});
      if (branch.branches.empty()) return true;
      Node following;
      following.sleep = sleep_after(node);
      following.branches = std::move(branch.branches);
      path_.push_back(std::move(following));
      branch = take_first(path_.back().branches);
    }
  }

  WakeupBranch take_first(std::vector<WakeupBranch>& branches) {
    WakeupBranch branch = std::move(branches.front());
    branches.erase(branches.begin());
    if (wakeup_steps_ > 0) --wakeup_steps_;
    return branch;
  }

  // How much of the tree is explored, if all branches of a node were alike?
  double explored_part() const {
    double part = 0;
    for (std::size_t i = path_.size(); i-- > 0;) {
      const Node& node = path_[i];
      for (std::size_t a = node.answers.size(); a-- > 0;) {
        const Answer& answer = node.answers[a];
        if (answer.open) part = (answer.tried - 1 + part) / answer.choice.options;
      }
      part = (node.done + part) / static_cast<double>(node.done + 1 + node.branches.size());
    }
    return part;
  }

  std::uint64_t seed_;
  std::optional<SearchWindow> window_;
  std::vector<Node> path_;  // of the current or next execution, as far as it is planned
  std::unordered_set<std::uint64_t> classes_;
  std::size_t wakeup_steps_ = 0;
  std::size_t branch_at_ = 0;  // where the path leaves what has been executed before
  std::uint64_t explored_ = 0;
  std::uint64_t redundant_ = 0;
  bool under_way_ = false;
  bool finished_ = false;
  bool complete_ = true;
  bool weak_memory_ = false;
};

}  // namespace

std::unique_ptr<Planner> make_dpor_planner(std::uint64_t seed) { return std::make_unique<DporPlanner>(seed); }

std::unique_ptr<Planner> make_window_planner(std::uint64_t seed, SearchWindow window) {
  return std::make_unique<DporPlanner>(seed, std::move(window));
}
#endif

}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
#include "strategies/partial_order.h"

#ifndef RAVEL_IN_TARGET
#include <algorithm>
#include <map>

#include "base/random.h"
#include "strategies/dependence.h"

namespace ravel {
namespace {

std::uint64_t bit(TaskId task) { return std::uint64_t{1} << task; }

}  // namespace

PartialOrder::PartialOrder(const ExecutionView& view)
    : tasks_(std::min(std::max(view.summary.tasks, 1U), kMaxSearchTasks)), weak_memory_(view.summary.weak_memory != 0) {
  std::int64_t last[kMaxSearchTasks];
  std::fill(std::begin(last), std::end(last), -1);
  std::int64_t enabler[kMaxSearchTasks];
  std::fill(std::begin(enabler), std::end(enabler), -1);
  events_.reserve(view.trace.size());
  std::size_t offer = 0;
  const auto take_choices = [&](std::uint64_t step, std::vector<Choice>& into) {
    for (; offer < view.offered.size() && view.offered[offer].step <= step; ++offer) {
      const OfferedChoice& choice = view.offered[offer];
      into.push_back({choice.kind, choice.detail, choice.options, choice.taken});
    }
  };
  take_choices(0, first_choices_);
  for (const TraceEvent& traced : view.trace) {
    // More tasks or steps than can be analysed: the planner knows.
    if (traced.operation.task >= tasks_ || events_.size() == kMaxSearchSteps) break;
    const auto at = static_cast<std::int64_t>(events_.size());
    const TaskId task = traced.operation.task;
    Event event;
    event.operation = traced.operation;
    event.flags = traced.flags;
    event.enabled = traced.enabled;
    event.before = traced.before;
    event.store = traced.store;
    if (at > 0) {
      // A task that can continue now and could not before was enabled by the step in between.
      const Event& previous = events_.back();
      for (TaskId other = 0; other < tasks_; ++other) {
        const bool now = (event.enabled & bit(other)) != 0;
        const bool then = (previous.enabled & bit(other)) != 0;
        if (now && !then && other != previous.task()) enabler[other] = at - 1;
        if (other == previous.task()) enabler[other] = -1;
      }
    }
    event.previous = last[task];
    event.number = event.previous < 0 ? 1 : events_[static_cast<std::size_t>(event.previous)].number + 1;
    event.enabler = enabler[task];
    last[task] = at;
    take_choices(static_cast<std::uint64_t>(at) + 1, event.choices);
    events_.push_back(std::move(event));
  }
  for (const Operation& operation : view.waiting) {
    // It may have been recorded before the end: a program that exits still runs its exit handlers.
    const bool still =
        operation.task < tasks_ && last[operation.task] < static_cast<std::int64_t>(view.summary.waiting_step);
    if (still && operation.kind != OperationKind::program_exit) pending_.push_back(operation);
  }
  clocks_ = make_clocks(true);
}

std::vector<std::uint32_t> PartialOrder::make_clocks(bool atomics_too) const {
  std::vector<std::uint32_t> clocks(events_.size() * tasks_);
  std::vector<std::uint32_t> idle(tasks_);  // what every task knows since the latest idle moment
  std::vector<std::uint32_t> total(tasks_);
  for (std::size_t i = 0; i < events_.size(); ++i) {
    const Event& event = events_[i];
    std::uint32_t* mine = &clocks[i * tasks_];
    const auto learn = [&](const std::uint32_t* other) {
      for (std::uint32_t task = 0; task < tasks_; ++task) mine[task] = std::max(mine[task], other[task]);
    };
    if ((event.flags & kTraceAfterIdle) != 0) idle = total;
    learn(idle.data());
    if (event.previous >= 0) learn(&clocks[static_cast<std::size_t>(event.previous) * tasks_]);
    if (event.enabler >= 0) learn(&clocks[static_cast<std::size_t>(event.enabler) * tasks_]);
    for (std::size_t j = i; j-- > 0;) {
      const Event& other = events_[j];
      if (other.task() == event.task() || mine[other.task()] >= other.number) continue;
      const bool atomics = (is_atomic_access(event.operation.kind) || event.operation.kind == OperationKind::fence) &&
                           (is_atomic_access(other.operation.kind) || other.operation.kind == OperationKind::fence);
      if (atomics && !atomics_too) continue;
      if (dependent(event.operation, other.operation, weak_memory_)) learn(&clocks[j * tasks_]);
    }
    mine[event.task()] = event.number;
    total[event.task()] = event.number;
  }
  return clocks;
}

std::int64_t PartialOrder::latest(TaskId task, std::size_t end) const {
  for (std::size_t i = end; i-- > 0;) {
    if (events_[i].task() == task) return static_cast<std::int64_t>(i);
  }
  return -1;
}

std::uint64_t PartialOrder::class_hash() const {
  // With one order: the order of all dependent events. Under the C++ model atomics are distinguished by what they read
  // and by modification order instead.
  const std::vector<std::uint32_t> clocks = weak_memory_ ? make_clocks(false) : clocks_;
  std::uint64_t sum = 0;  // of hashes of events: independent of the order of the execution
  std::map<std::uint64_t, std::vector<std::size_t>> modification;
  const auto name_of = [&](std::size_t i) { return (std::uint64_t{events_[i].task()} << 32) | events_[i].number; };
  for (std::size_t i = 0; i < events_.size(); ++i) {
    const Event& event = events_[i];
    std::uint64_t hash = hash_mix(name_of(i), static_cast<std::uint64_t>(event.operation.kind));
    hash = hash_mix(hash, event.operation.pc);
    for (std::uint32_t task = 0; task < tasks_; ++task) hash = hash_mix(hash, clocks[i * tasks_ + task]);
    for (const Choice& choice : event.choices) {
      if (choice.kind == DecisionKind::environment) hash = hash_mix(hash, 1 + choice.taken);
    }
    if (weak_memory_ && is_atomic_access(event.operation.kind)) {
      const bool by_event = event.store != 0 && event.store <= events_.size();
      const std::size_t source = by_event ? event.store - 1 : 0;
      if (event.operation.kind != OperationKind::atomic_store) hash = hash_mix(hash, by_event ? name_of(source) : 0);
      const bool writes = event.operation.kind == OperationKind::atomic_store ||
                          event.operation.kind == OperationKind::atomic_rmw ||
                          (event.operation.kind == OperationKind::atomic_cas && (event.flags & kTraceChanged) != 0);
      if (writes) {
        std::vector<std::size_t>& order = modification[event.operation.object];
        const auto behind = by_event ? std::find(order.begin(), order.end(), source) : order.end();
        if (by_event && behind != order.end()) {
          order.insert(behind + 1, i);
        } else if (by_event) {
          order.push_back(i);
        } else {
          order.insert(order.begin(), i);
        }
      }
    }
    sum += hash_mix(hash, 0x636c617373ULL);
  }
  for (const auto& [object, order] : modification) {
    std::uint64_t hash = 1;
    for (const std::size_t store : order) hash = hash_mix(hash, name_of(store));
    sum += hash_mix(hash, 0x6d6f64ULL);
  }
  for (const Choice& choice : first_choices_) sum = hash_mix(sum, choice.taken);
  for (const Operation& operation : pending_) {
    sum += hash_mix(hash_mix(operation.task, static_cast<std::uint64_t>(operation.kind)), operation.pc);
  }
  return sum;
}

}  // namespace ravel
#endif

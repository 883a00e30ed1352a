// SPDX-License-Identifier: Apache-2.0
#include "driver/findings/conflicts.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>

namespace ravel {
namespace {

// The object of such an operation is a task number, which must not be mistaken for an address.
bool object_is_task(OperationKind kind) {
  switch (kind) {
    case OperationKind::task_create:
    case OperationKind::task_join:
    case OperationKind::task_detach:
    case OperationKind::task_cancel:
    case OperationKind::task_signal:
    case OperationKind::task_end:
      return true;
    default:
      return false;
  }
}

}  // namespace

// Accesses are grouped by the eight bytes they begin in: accurate enough for choosing places to try.
std::uint64_t Conflicts::key_of(const Operation& operation) {
  if (operation_role(operation.kind) == OperationRole::local || object_is_task(operation.kind)) return 0;
  return is_memory_access(operation.kind) ? operation.object & ~std::uint64_t{7} : operation.object;
}

bool Conflicts::writes(const Operation& operation) { return operation_role(operation.kind) != OperationRole::reads; }

Conflicts::Conflicts(const std::vector<TraceEvent>& trace) : trace_(trace), own_(own_steps_of(trace)) {
  std::set<std::tuple<std::uint64_t, TaskId, std::uint16_t, OperationRole>> known;  // what conflict() looks at, by task
  for (std::size_t i = 0; i < trace.size(); ++i) {
    const Operation& operation = trace[i].operation;
    const std::uint64_t key = key_of(operation);
    if (key == 0) continue;
    touches_[key].push_back({i, writes(operation)});
    const OperationRole role = operation_role(operation.kind);
    if (known.emplace(operation.object, operation.task, operation.size, role).second) first_touches_[key].push_back(i);
  }
}

std::size_t Conflicts::next_conflict(std::size_t index) const {
  const Operation& mine = trace_[index].operation;
  const auto entry = touches_.find(key_of(mine));
  if (entry == touches_.end()) return trace_.size();
  const auto after = std::upper_bound(entry->second.begin(), entry->second.end(), index,
                                      [](std::size_t at, const Touch& touch) { return at < touch.index; });
  for (auto it = after; it != entry->second.end(); ++it) {
    const Operation& its = trace_[it->index].operation;
    if (its.task != mine.task && conflict(mine, its)) return it->index;
  }
  return trace_.size();
}

std::size_t Conflicts::previous_conflict(std::size_t index) const {
  const Operation& mine = trace_[index].operation;
  const auto entry = touches_.find(key_of(mine));
  if (entry == touches_.end()) return trace_.size();
  const auto end = std::lower_bound(entry->second.begin(), entry->second.end(), index,
                                    [](const Touch& touch, std::size_t at) { return touch.index < at; });
  for (auto it = std::make_reverse_iterator(end); it != entry->second.rend(); ++it) {
    const Operation& its = trace_[it->index].operation;
    if (its.task != mine.task && conflict(mine, its)) return it->index;
  }
  return trace_.size();
}

std::vector<PreemptionPoint> Conflicts::points(std::size_t from, std::uint32_t near) const {
  constexpr std::size_t kFirstRounds = 3;
  constexpr std::size_t kLastRounds = 2;
  constexpr std::size_t kFirstAlike = 2;
  constexpr std::size_t kLastAlike = 2;
  constexpr std::size_t kMostOthers = 8;

  // Steps near a preemption count even in the middle of a loop.
  std::vector<bool> close(trace_.size(), false);
  std::vector<std::size_t> last_of_task;
  for (std::size_t i = 0; i < trace_.size(); ++i) {
    const TaskId task = trace_[i].operation.task;
    if (task >= last_of_task.size()) last_of_task.resize(task + 1, trace_.size());
    if ((trace_[i].flags & kTracePreempts) != 0) {
      const std::size_t low = i > near ? i - near : 0;
      for (std::size_t k = low; k < std::min(trace_.size(), i + near); ++k) close[k] = true;
    }
    last_of_task[task] = i;
  }

  // Rounds of loops, by code location, object and task.
  std::unordered_map<std::uint64_t, std::size_t> rounds;
  const auto loop_key = [&](const Operation& operation) {
    return (operation.pc * 0x9e3779b97f4a7c15ULL) ^ (key_of(operation) << 7) ^ operation.task;
  };
  for (const TraceEvent& event : trace_) ++rounds[loop_key(event.operation)];
  std::unordered_map<std::uint64_t, std::size_t> seen;

  // Tasks that run the same code on the same object are alike: a few stand for all of them.
  std::unordered_map<std::uint64_t, std::vector<TaskId>> alike;
  const auto kind_key = [&](const Operation& operation) {
    return (operation.pc * 0x9e3779b97f4a7c15ULL) ^ (key_of(operation) << 7);
  };
  for (const TraceEvent& event : trace_) {
    std::vector<TaskId>& tasks = alike[kind_key(event.operation)];
    if (std::find(tasks.begin(), tasks.end(), event.operation.task) == tasks.end()) {
      tasks.push_back(event.operation.task);
    }
  }
  const auto stands_for_others = [&](const Operation& operation) {
    const std::vector<TaskId>& tasks = alike[kind_key(operation)];
    const auto place = static_cast<std::size_t>(std::find(tasks.begin(), tasks.end(), operation.task) - tasks.begin());
    return place < kFirstAlike || place + kLastAlike >= tasks.size();
  };

  const auto does_the_same = [&](const Operation& operation, TaskId other) {
    const std::vector<TaskId>& tasks = alike[kind_key(operation)];
    return std::find(tasks.begin(), tasks.end(), other) != tasks.end();
  };

  std::set<std::tuple<TaskId, std::uint32_t, TaskId>> known;
  std::vector<PreemptionPoint> points;
  for (std::size_t i = 0; i < trace_.size(); ++i) {
    const Operation& operation = trace_[i].operation;
    const std::size_t round = seen[loop_key(operation)]++;
    if (i < from) continue;
    const std::size_t all = rounds[loop_key(operation)];
    const bool is_one_of_many = (round >= kFirstRounds && round + kLastRounds < all) || !stands_for_others(operation);
    if (is_one_of_many && !close[i]) continue;
    // Only tasks that touch the same object are worth switching to. So is a task that was just created: it may touch
    // anything.
    std::set<TaskId> others;
    std::size_t crowd = 2;
    if (operation.kind == OperationKind::task_create) {
      others.insert(static_cast<TaskId>(operation.object));
    } else if (const auto entry = first_touches_.find(key_of(operation)); entry != first_touches_.end()) {
      crowd = entry->second.size();
      for (const std::size_t touch : entry->second) {
        const Operation& its = trace_[touch].operation;
        if (its.task != operation.task && conflict(operation, its) && stands_for_others(its)) others.insert(its.task);
        if (others.size() >= kMostOthers) break;
      }
    }
    for (const TaskId other : others) {
      for (const std::uint32_t step : {own_[i], own_[i] + 1}) {
        if (known.emplace(operation.task, step, other).second) {
          points.push_back({operation.task, step, other, i, {crowd, does_the_same(operation, other)}});
        }
      }
    }
  }
  std::reverse(points.begin(), points.end());
  // What only two tasks touch decides more often than the lock that all of them take, and a task that does something
  // else with it more often than one that does the same.
  std::stable_sort(points.begin(), points.end(),
                   [](const PreemptionPoint& a, const PreemptionPoint& b) { return a.promise < b.promise; });
  return points;
}

}  // namespace ravel

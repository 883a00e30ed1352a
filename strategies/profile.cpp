// SPDX-License-Identifier: Apache-2.0
#ifndef RAVEL_IN_TARGET
#include "strategies/profile.h"

#include <algorithm>
#include <map>

#include "base/random.h"
#include "strategies/observed_order.h"
#include "strategies/task_paths.h"

namespace ravel {
namespace {

constexpr std::uint64_t kFirstTraces = 4;
constexpr std::uint64_t kTraceEvery = 16;
constexpr std::size_t kMostEvents = 1U << 18;  // of one trace; later ones say little that is new
constexpr std::size_t kMostCells = 1U << 15;
constexpr std::size_t kMostTasks = kMaxTasks;
constexpr double kFading = 0.75;
constexpr double kForgotten = 0.02;

}  // namespace

void TracedPaths::add_up_to(TaskId task, TaskId creator) {
  if (paths_.empty()) {
    paths_.push_back(kMainPath);
    creators_.push_back(kNoTask);
    children_.push_back(0);
  }
  while (paths_.size() <= task && paths_.size() < kMaxTasks) {
    paths_.push_back(child_path(paths_[creator], children_[creator]++));
    creators_.push_back(creator);
    children_.push_back(0);
  }
}

// A creation while no other task lives is not a step, so some tasks appear without one: the task that ran before is
// their creator.
void TracedPaths::add_tasks(const Operation& operation) {
  add_up_to(0, 0);
  if (operation.task >= kMaxTasks) return;
  const TaskId creator = before_ < paths_.size() ? before_ : 0;
  add_up_to(operation.task, creator);
  if (operation.kind == OperationKind::task_create) {
    // Its object is the id that was free when the creation was announced; another task may have been faster.
    if (operation.object > paths_.size() && operation.object < kMaxTasks) {
      add_up_to(static_cast<TaskId>(operation.object) - 1, creator);
    }
    add_up_to(static_cast<TaskId>(paths_.size()), operation.task);
  }
}

std::uint64_t TracedPaths::creator_path(TaskId task) const {
  if (task >= creators_.size() || creators_[task] == kNoTask) return 0;
  return paths_[creators_[task]];
}

std::size_t Profile::KeyHash::operator()(const Key& key) const {
  return hash_mix(hash_mix(hash_mix(key.task, key.pc), key.object), static_cast<std::uint64_t>(key.kind));
}

void Profile::learn(const ExecutionView& view) {
  ++executions_;
  ++since_trace_;
  if (view.new_sites != 0) new_points_ = true;
  if (view.trace.empty()) return;
  // This execution found new scheduling points: the next one shows what happens there.
  new_points_ = view.new_sites != 0;
  since_trace_ = 0;
  ++traces_;
  weight_ = traces_ == 1 ? 1 : 1 - kFading;
  fade();
  count(view.trace.first(std::min(view.trace.size(), kMostEvents)));
  find_shared();
}

bool Profile::wants_trace() const { return traces_ < kFirstTraces || new_points_ || since_trace_ + 1 >= kTraceEvery; }

void Profile::fade() {
  for (Cell& cell : cells_) cell.count *= kFading;
  for (Task& task : tasks_) task.steps *= kFading;
  if (cells_.size() < kMostCells / 2) return;
  std::erase_if(cells_, [](const Cell& cell) { return cell.count < kForgotten; });
  cell_at_.clear();
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    cell_at_[Key{cells_[i].task, cells_[i].pc, cells_[i].object, cells_[i].kind}] = i;
  }
}

std::size_t Profile::task_index(std::uint64_t path, std::uint64_t creator) {
  const auto [at, added] = task_at_.try_emplace(path, tasks_.size());
  if (added) tasks_.push_back(Task{path, creator, 0});
  return at->second;
}

void Profile::count(std::span<const TraceEvent> trace) {
  TracedPaths paths;
  std::vector<std::size_t> index_of;  // by task id; + 1
  const auto index = [&](TaskId task) {
    if (task >= index_of.size()) index_of.resize(task + 1);
    return index_of[task];
  };
  for (const TraceEvent& event : trace) {
    const Operation& operation = event.operation;
    paths.see(operation);
    const std::uint64_t path = paths.path(operation.task);
    if (path == 0) continue;
    if (index(operation.task) == 0) {
      if (tasks_.size() >= kMostTasks && !task_at_.contains(path)) continue;
      // T0 may have no step of its own before its children have.
      if (operation.task != 0) task_index(kMainPath, 0);
      index_of[operation.task] = task_index(path, paths.creator_path(operation.task)) + 1;
    }
    tasks_[index_of[operation.task] - 1].steps += weight_;
    if (operation_role(operation.kind) == OperationRole::local || on_task(operation.kind)) continue;
    const auto [at, added] =
        cell_at_.try_emplace(Key{path, operation.pc, operation.object, operation.kind}, cells_.size());
    if (added) {
      if (cells_.size() >= kMostCells) {
        cell_at_.erase(at);
        continue;
      }
      cells_.push_back(Cell{path, operation.pc, operation.object, operation.kind, 0});
    }
    cells_[at->second].count += weight_;
  }
}

void Profile::find_shared() {
  std::map<std::uint64_t, std::vector<const Cell*>> by_object;
  for (const Cell& cell : cells_) {
    if (cell.count >= kForgotten) by_object[cell.object].push_back(&cell);
  }
  shared_.clear();
  std::map<std::vector<std::uint64_t>, std::uint32_t> families;
  const auto insert = [](std::vector<std::uint64_t>& sorted, std::uint64_t value) {
    const auto at = std::lower_bound(sorted.begin(), sorted.end(), value);
    if (at == sorted.end() || *at != value) sorted.insert(at, value);
  };
  for (const auto& [object, cells] : by_object) {
    SharedObject found;
    found.object = object;
    std::vector<std::uint64_t> tasks;
    bool changes = false;
    for (const Cell* cell : cells) {
      insert(tasks, cell->task);
      insert(found.locations, cell->pc);
      if (operation_role(cell->kind) != OperationRole::reads) {
        changes = true;
        insert(found.writing_locations, cell->pc);
      }
      found.lock = found.lock || releases(cell->kind);
    }
    if (tasks.size() < 2 || !changes) continue;
    found.tasks = static_cast<std::uint32_t>(tasks.size());
    found.family = families.try_emplace(found.locations, static_cast<std::uint32_t>(families.size())).first->second;
    shared_.push_back(std::move(found));
  }
  families_ = static_cast<std::uint32_t>(families.size());
}

}  // namespace ravel
#endif

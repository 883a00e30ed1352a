// SPDX-License-Identifier: Apache-2.0
#include "driver/noise/revisits.h"

#include <algorithm>
#include <set>

namespace ravel {
namespace {

bool have_common(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b) {
  return std::any_of(a.begin(), a.end(),
                     [&](std::uint64_t one) { return std::find(b.begin(), b.end(), one) != b.end(); });
}

void keep_common(std::vector<std::uint64_t>& kept, const std::vector<std::uint64_t>& others) {
  std::erase_if(kept, [&](std::uint64_t one) { return std::find(others.begin(), others.end(), one) == others.end(); });
}

}  // namespace

void Revisits::learn(TaskId task, const FreeEvent& event) {
  if (is_memory_access(event.kind)) {
    if (event.own == 0) access(task, event.kind, event.object, event.pc);
  } else if (takes_lock(event.kind)) {
    take(task, event.object);
  } else if (releases_lock(event.kind)) {
    give_back(task, event.object);
  } else if (event.kind == OperationKind::task_create) {
    created(task, static_cast<TaskId>(event.object));
  } else if (event.kind == OperationKind::task_join) {
    joined(task, static_cast<TaskId>(event.object));
  }
}

void Revisits::take(TaskId task, std::uint64_t lock) {
  Thread& thread = threads_[task];
  thread.locks.push_back({lock, thread.accesses});
}

void Revisits::give_back(TaskId task, std::uint64_t lock) {
  std::vector<Lock>& locks = threads_[task].locks;
  const auto found = std::find_if(locks.rbegin(), locks.rend(), [&](const Lock& one) { return one.lock == lock; });
  if (found != locks.rend()) locks.erase(std::next(found).base());
}

void Revisits::access(TaskId task, OperationKind kind, std::uint64_t object, std::uint64_t pc) {
  Thread& thread = threads_[task];
  const std::uint64_t number = ++thread.accesses;
  const std::uint32_t stretch = order_.stretch_of(task);
  const bool writes = operation_role(kind) == OperationRole::writes;
  std::vector<Visits>& all = objects_[object];
  auto visits = std::find_if(all.begin(), all.end(),
                             [&](const Visits& one) { return one.task == task && one.stretch == stretch; });
  std::vector<std::uint64_t> held;
  for (const Lock& one : thread.locks) held.push_back(one.lock);
  if (visits == all.end()) {
    all.push_back({});
    visits = std::prev(all.end());
    visits->task = task;
    visits->stretch = stretch;
    visits->locks_of_all = held;
  } else {
    keep_common(visits->locks_of_all, held);
    // A loop that reads it again and again sees every change.
    const bool polls = visits->latest_site == pc && !writes;
    const auto known = std::find_if(visits->pairs.begin(), visits->pairs.end(), [&](const Pair& pair) {
      return pair.site == pc && pair.wrote_first == visits->latest_wrote && pair.writes == writes;
    });
    if (!polls && number - visits->latest <= kWindow) {
      std::vector<std::uint64_t> throughout;
      for (const Lock& one : thread.locks) {
        if (one.since < visits->latest) throughout.push_back(one.lock);
      }
      if (known == visits->pairs.end()) {
        visits->pairs.push_back({pc, visits->latest_wrote, writes, std::move(throughout)});
      } else {
        keep_common(known->locks, throughout);
      }
    }
  }
  if (writes && !visits->writes) {
    visits->locks_of_writes = held;
  } else if (writes) {
    keep_common(visits->locks_of_writes, held);
  }
  visits->writes = visits->writes || writes;
  visits->latest_wrote = writes;
  visits->latest = number;
  visits->latest_site = pc;
}

// A write between two visits is seen, or lost, or makes what was seen out of date; a read between two writes sees an
// intermediate state.
bool Revisits::can_come_between(const Pair& pair, const Visits& other) {
  if (other.writes && !have_common(pair.locks, other.locks_of_writes)) return true;
  return pair.wrote_first && pair.writes && !have_common(pair.locks, other.locks_of_all);
}

bool Revisits::may_overlap(const Visits& a, const Visits& b) {
  return a.task != b.task && !order_.is_before(a.task, a.stretch, b.task, b.stretch) &&
         !order_.is_before(b.task, b.stretch, a.task, a.stretch);
}

std::vector<std::uint64_t> Revisits::sites() {
  std::set<std::uint64_t> sites;
  for (const auto& [object, all] : objects_) {
    if (all.size() < 2) continue;
    for (const Visits& visits : all) {
      for (const Pair& pair : visits.pairs) {
        const bool open = std::any_of(all.begin(), all.end(), [&](const Visits& other) {
          return can_come_between(pair, other) && may_overlap(visits, other);
        });
        if (open) sites.insert(pair.site);
      }
    }
  }
  return {sites.begin(), sites.end()};
}

}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
#include "driver/findings/whole_trace.h"

#include <map>
#include <set>

namespace ravel {
namespace {

constexpr std::size_t kMostStacks = 20'000;  // of the first events: a stack is large

std::uint64_t granule_of(const Operation& operation) { return operation.object >> 3; }

bool is_lock_operation(OperationKind kind) { return takes_lock(kind) || releases_lock(kind); }

bool is_plain_access(OperationKind kind) {
  return kind == OperationKind::read || kind == OperationKind::write || kind == OperationKind::read_write;
}

}  // namespace

WholeTrace::WholeTrace(const ExecutionRecord& record, const std::optional<Cause>& cause) {
  // Memory that tasks use concurrently. What a task merely finds as its creator left it is not worth telling.
  std::vector<std::size_t> created(record.tasks.size(), 0);  // by task: the step that created it
  for (std::size_t step = 0; step < record.trace.size(); ++step) {
    const Operation& operation = record.trace[step].operation;
    if (operation.kind == OperationKind::task_create && operation.object < created.size()) {
      created[operation.object] = step;
    }
  }
  struct Use {
    TaskId task;
    std::size_t position;
    bool writes;
  };
  constexpr std::size_t kMostUses = 64;
  std::map<std::uint64_t, std::vector<Use>> uses;
  std::set<std::uint64_t> told;
  const auto use = [&](const TraceEvent& event, std::size_t position) {
    const Operation& operation = event.operation;
    if (!is_memory_access(operation.kind) || operation.task >= created.size()) return;
    const Use mine{operation.task, position, operation_role(operation.kind) != OperationRole::reads};
    std::vector<Use>& others = uses[granule_of(operation)];
    for (const Use& other : others) {
      const bool handed_over = other.position <= created[mine.task];
      if (other.task != mine.task && (other.writes || mine.writes) && !handed_over) told.insert(granule_of(operation));
    }
    if (others.size() < kMostUses) others.push_back(mine);
  };
  std::size_t access = 0;
  for (std::size_t step = 0; step <= record.trace.size(); ++step) {
    for (; access < record.accesses.size() && record.accesses[access].position <= step; ++access) {
      use(record.accesses[access], step);
    }
    if (step < record.trace.size()) use(record.trace[step], step);
  }
  const auto tell = [&](std::size_t place) {
    if (place < record.trace.size() || place - record.trace.size() >= record.accesses.size()) return;
    told.insert(granule_of(record.accesses[place - record.trace.size()].operation));
  };
  if (cause) {
    tell(cause->first);
    tell(cause->second);
    if (cause->third) tell(*cause->third);
    if (cause->also) {
      tell(cause->also->first);
      tell(cause->also->second);
    }
  }
  place_.resize(record.trace.size() + record.accesses.size());
  std::size_t next = 0;
  const auto add_accesses = [&](std::size_t before_step) {
    for (; next < record.accesses.size() && record.accesses[next].position <= before_step; ++next) {
      const TraceEvent& event = record.accesses[next];
      place_[record.trace.size() + next] = events_.size();
      if (!told.contains(granule_of(event.operation))) continue;
      if (events_.size() < kMostStacks) {
        stacks_.push_back(next < record.access_stacks.size() ? record.access_stacks[next] : StackRecord{});
      }
      events_.push_back(event);
    }
  };
  for (std::size_t step = 0; step < record.trace.size(); ++step) {
    add_accesses(step);
    place_[step] = events_.size();
    if (events_.size() < kMostStacks) {
      stacks_.push_back(step < record.step_stacks.size() ? record.step_stacks[step] : StackRecord{});
    }
    events_.push_back(record.trace[step]);
  }
  add_accesses(record.trace.size());
}

Cause WholeTrace::cause(const Cause& of_record) const {
  Cause cause = of_record;
  cause.first = place(of_record.first);
  if (!of_record.missing) cause.second = place(of_record.second);
  if (of_record.third) cause.third = place(*of_record.third);
  if (of_record.also) cause.also = {place(of_record.also->first), place(of_record.also->second)};
  if (!of_record.missing && !of_record.weak) put_in_terms_of_data(cause);
  return cause;
}

bool WholeTrace::put_in_terms_of_data(Cause& cause) const {
  if (cause.first >= events_.size() || cause.second >= events_.size()) return false;
  const Operation& first = events_[cause.first].operation;
  const Operation& second = events_[cause.second].operation;
  if (!is_lock_operation(first.kind) || !is_lock_operation(second.kind) || first.task == second.task) return false;
  // What the first task did in the section that contains `first`: back to where it took the lock.
  for (std::size_t i = cause.first; i-- > 0;) {
    const Operation& mine = events_[i].operation;
    if (mine.task != first.task) continue;
    if (mine.object == first.object && is_lock_operation(mine.kind)) return false;
    if (!is_plain_access(mine.kind)) continue;
    // The other task's first access to the same memory in its section, preferably a write.
    for (std::size_t j = cause.second + 1; j < events_.size(); ++j) {
      const Operation& its = events_[j].operation;
      if (its.task == first.task) break;
      if (its.task != second.task || !is_plain_access(its.kind) || !conflict(mine, its)) continue;
      cause.first = i;
      cause.second = j;
      cause.third.reset();
      for (std::size_t k = j + 1; k < events_.size() && !cause.third; ++k) {
        const Operation& later = events_[k].operation;
        if (later.task == mine.task && is_plain_access(later.kind) && conflict(later, its)) cause.third = k;
      }
      return true;
    }
  }
  return false;
}

}  // namespace ravel

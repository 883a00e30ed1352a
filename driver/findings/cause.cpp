// SPDX-License-Identifier: Apache-2.0
#include "driver/findings/cause.h"

#include <algorithm>
#include <utility>

#include "driver/findings/conflicts.h"

namespace ravel {
namespace {

constexpr unsigned kNeighbours = 200;  // tried when nothing in the schedule itself can be undone

Cause pair(std::size_t first, std::size_t second) {
  Cause cause;
  cause.first = first;
  cause.second = second;
  cause.passes_otherwise = true;
  return cause;
}

class CauseSearch {
 public:
  CauseSearch(TrialRunner& runner, const Shrunk& failing)
      : runner_(runner),
        directions_(failing.directions),
        trace_(failing.trial.trace),
        own_(own_steps_of(trace_)),
        conflicts_(trace_) {}

  std::optional<Cause> find() {
    // A forced switch says more than who ran when a task had to stop anyway.
    for (const bool preempting : {true, false}) {
      for (std::size_t i = directions_.size(); i-- > 0;) {
        const Direction& direction = directions_[i];
        if (direction.kind == DirectionKind::store) {
          if (!preempting) continue;
          if (auto cause = of_store(i)) return cause;
        } else if (direction.kind == DirectionKind::go_to && is_preemption(direction) == preempting) {
          if (auto cause = preempting ? of_preemption(i) : of_free_switch(i)) return cause;
        }
      }
    }
    if (auto cause = of_new_switch()) return cause;
    return of_missing();
  }

 private:
  bool passes(const Directions& directions) { return runner_.run(directions).passes; }

  Directions rest(std::size_t left_out) const {
    Directions directions = directions_;
    directions.erase(directions.begin() + static_cast<std::ptrdiff_t>(left_out));
    return directions;
  }

  Directions moved(std::size_t which, std::uint32_t step) const {
    Directions directions = rest(which);
    Direction direction = directions_[which];
    direction.step = step;
    directions.insert(std::upper_bound(directions.begin(), directions.end(), direction), direction);
    return directions;
  }

  // The index of the task's step number `own`; trace_.size() when it made no such step.
  std::size_t index_of(TaskId task, std::uint32_t own) const {
    for (std::size_t i = 0; i < trace_.size(); ++i) {
      if (trace_[i].operation.task == task && own_[i] == own) return i;
    }
    return trace_.size();
  }

  bool is_preemption(const Direction& direction) const {
    const std::size_t at = index_of_switch(direction);
    return at != trace_.size() && (trace_[at].flags & kTracePreempts) != 0;
  }

  // The first step of the task that the direction switches to.
  std::size_t index_of_switch(const Direction& direction) const {
    if (direction.step == 0) return index_of(direction.value, 0);
    const std::size_t last = index_of(direction.task, direction.step - 1);
    return last < trace_.size() ? last + 1 : trace_.size();
  }

  // Where the switch must come for the finding to appear: after one step of the task and before another. Found by
  // bisection: the switch itself shows the finding, none at all or one at the ends does not.
  std::optional<Cause> of_preemption(std::size_t which) {
    const Direction& direction = directions_[which];
    const std::size_t none = trace_.size();
    if (!passes(rest(which))) return std::nullopt;
    std::uint32_t low = 0;
    for (const Direction& other : directions_) {
      if (other.kind == DirectionKind::go_to && other.task == direction.task && other.step < direction.step) {
        low = std::max(low, other.step);
      }
    }
    std::uint32_t fails = direction.step;
    if (fails > low && passes(moved(which, fails - 1))) {
      low = fails - 1;
    } else {
      while (fails - low > 1) {
        const std::uint32_t middle = low + (fails - low) / 2;
        (passes(moved(which, middle)) ? low : fails) = middle;
      }
    }
    if (fails > low && fails > 0) {
      const std::size_t last = index_of(direction.task, fails - 1);
      if (last != none && passes(moved(which, fails - 1))) {
        if (auto cause = around(last, direction.task)) return cause;
      }
    }
    // The other side: what the task did after it resumed.
    std::uint32_t high = direction.step;
    for (std::size_t i = 0; i < trace_.size(); ++i) {
      if (trace_[i].operation.task == direction.task) high = std::max(high, own_[i] + 1);
    }
    fails = direction.step;
    while (high - fails > 1) {
      const std::uint32_t middle = fails + (high - fails) / 2;
      (passes(moved(which, middle)) ? high : fails) = middle;
    }
    const std::size_t next = index_of(direction.task, fails);
    if (next == none) return std::nullopt;
    const std::size_t before = conflicts_.previous_conflict(next);
    if (before == none) return std::nullopt;
    return refined(pair(before, next));
  }

  // A task could not continue, and it matters which one ran instead: the first step of that one that conflicts with a
  // later step of another task.
  std::optional<Cause> of_free_switch(std::size_t which) {
    const Direction& direction = directions_[which];
    if (!passes(rest(which))) return std::nullopt;
    // How far that task must get before others run: bisection over the steps it made in a row.
    const std::size_t begin = index_of_switch(direction);
    std::size_t end = begin;
    while (end < trace_.size() && trace_[end].operation.task == direction.value) ++end;
    if (end < trace_.size() && begin < end) {
      const TaskId next = trace_[end].operation.task;
      std::size_t low = begin;
      std::size_t high = end;
      while (high - low > 1) {
        const std::size_t middle = low + (high - low) / 2;
        const Direction leave{direction.value, own_[middle], DirectionKind::go_to, 0, next};
        Directions directions = directions_;
        directions.insert(std::upper_bound(directions.begin(), directions.end(), leave), leave);
        (passes(directions) ? low : high) = middle;
      }
      if (auto cause = around(low, direction.value)) return cause;
    }
    for (std::size_t i = begin; i < trace_.size(); ++i) {
      if (trace_[i].operation.task != direction.value) break;
      if (!is_memory_access(trace_[i].operation.kind)) continue;
      if (auto cause = around(i, direction.value)) return cause;
    }
    return std::nullopt;
  }

  // The pair of which `last` is the first half.
  std::optional<Cause> around(std::size_t last, TaskId task) const {
    const std::size_t none = trace_.size();
    std::size_t first = last;
    std::size_t second = conflicts_.next_conflict(first);
    // Locks and the like order what they protect: the accesses themselves say more.
    if (!is_memory_access(trace_[first].operation.kind)) {
      constexpr unsigned kBack = 16;
      unsigned seen = 0;
      for (std::size_t i = last; i-- > 0 && seen < kBack;) {
        if (trace_[i].operation.task != task) continue;
        ++seen;
        if (!is_memory_access(trace_[i].operation.kind)) continue;
        const std::size_t other = conflicts_.next_conflict(i);
        if (other == none || other < last) continue;
        first = i;
        second = other;
        break;
      }
    }
    if (second == none) return std::nullopt;
    return refined(pair(first, second));
  }

  // Adds the third step: where the first task comes back to what the second changed.
  Cause refined(Cause cause) const {
    const Operation& first = trace_[cause.first].operation;
    const Operation& second = trace_[cause.second].operation;
    if (!is_memory_access(first.kind) || !is_memory_access(second.kind)) return cause;
    for (std::size_t i = cause.second + 1; i < trace_.size(); ++i) {
      const Operation& operation = trace_[i].operation;
      if (operation.task != first.task || !is_memory_access(operation.kind)) continue;
      if (conflict(operation, second)) {
        cause.third = i;
        break;
      }
    }
    return cause;
  }

  std::optional<Cause> of_store(std::size_t which) {
    const Direction& direction = directions_[which];
    if (direction.step == 0 || !passes(rest(which))) return std::nullopt;
    const std::size_t read = index_of(direction.task, direction.step - 1);
    if (read == trace_.size()) return std::nullopt;
    const std::size_t store = conflicts_.previous_conflict(read);
    if (store == trace_.size()) return std::nullopt;
    Cause cause = pair(store, read);
    cause.weak = true;
    return cause;
  }

  // Nothing in the schedule can be undone: it fails without any preemption, or whatever is undone. So look for a switch
  // that is not there: one that lets another task go first.
  std::optional<Cause> of_new_switch() {
    unsigned tried = 0;
    for (const PreemptionPoint& point : conflicts_.points(0, 0)) {
      if (runner_.exhausted() || ++tried > kNeighbours) break;
      if (point.step != own_[point.at]) continue;  // the step at point.at is to come later
      Directions directions = directions_;
      const Direction added{point.task, point.step, DirectionKind::go_to, 0, point.next};
      std::erase_if(directions, [&](const Direction& other) {
        return other.task == added.task && other.step == added.step && other.kind == added.kind;
      });
      directions.insert(std::upper_bound(directions.begin(), directions.end(), added), added);
      if (!passes(directions)) continue;
      if (auto cause = around(point.at, point.task)) return cause;
    }
    return std::nullopt;
  }

  // The failure came before another task had done what it depends on: if that task runs first, there is no failure.
  std::optional<Cause> of_missing() {
    constexpr std::size_t kPlaces = 12;
    if (trace_.empty()) return std::nullopt;
    const TaskId failing = trace_.back().operation.task;
    TaskId last = 0;  // the creation of the first task is not a step, so all numbers up to the largest count
    for (const TraceEvent& event : trace_) {
      last = std::max(last, event.operation.task);
      if (event.operation.kind == OperationKind::task_create) {
        last = std::max(last, static_cast<TaskId>(event.operation.object));
      }
    }
    std::vector<std::size_t> mine;
    for (std::size_t i = 0; i < trace_.size(); ++i) {
      if (trace_[i].operation.task == failing && operation_role(trace_[i].operation.kind) != OperationRole::local) {
        mine.push_back(i);
      }
    }
    if (mine.size() > kPlaces) mine.erase(mine.begin() + kPlaces / 2, mine.end() - kPlaces / 2);
    for (TaskId other = 0; other <= last; ++other) {
      if (other == failing) continue;
      for (auto place = mine.rbegin(); place != mine.rend(); ++place) {
        if (runner_.exhausted()) return std::nullopt;
        Directions directions = directions_;
        const Direction added{failing, own_[*place], DirectionKind::go_to, 0, other};
        std::erase_if(directions, [&](const Direction& old) {
          return old.task == added.task && old.step == added.step && old.kind == added.kind;
        });
        directions.insert(std::upper_bound(directions.begin(), directions.end(), added), added);
        const Trial trial = runner_.run(directions);
        if (!trial.passes) continue;
        if (auto cause = missing_in(trial, other, mine)) return cause;
      }
    }
    return std::nullopt;
  }

  // What `other` did in the passing execution but not in the failing one, and a step of the failing task conflicts
  // with. Memory accesses say more than locks.
  std::optional<Cause> missing_in(const Trial& passing, TaskId other, const std::vector<std::size_t>& mine) const {
    const std::size_t done = static_cast<std::size_t>(std::count_if(
        trace_.begin(), trace_.end(), [&](const TraceEvent& event) { return event.operation.task == other; }));
    for (const bool memory : {true, false}) {
      for (auto place = mine.rbegin(); place != mine.rend(); ++place) {
        const Operation& here = trace_[*place].operation;
        if (is_memory_access(here.kind) != memory) continue;
        std::size_t own = 0;
        for (const TraceEvent& event : passing.trace) {
          if (event.operation.task != other) continue;
          if (own++ < done || is_memory_access(event.operation.kind) != memory) continue;
          if (!conflict(event.operation, here)) continue;
          Cause cause;
          cause.first = *place;
          cause.second = trace_.size();
          cause.missing = event.operation;
          cause.passes_otherwise = true;
          return cause;
        }
      }
    }
    return std::nullopt;
  }

  TrialRunner& runner_;
  const Directions& directions_;
  const std::vector<TraceEvent>& trace_;
  std::vector<std::uint32_t> own_;
  Conflicts conflicts_;
};

}  // namespace

std::optional<Cause> find_cause(TrialRunner& runner, const Shrunk& failing) {
  return CauseSearch(runner, failing).find();
}

std::optional<Cause> cause_of_operations(const std::vector<TraceEvent>& trace, std::size_t end, const Operation& first,
                                         const Operation& second) {
  const auto latest = [&](const Operation& wanted) {
    std::size_t elsewhere = trace.size();  // the same, but for the place in the code
    for (std::size_t i = std::min(end, trace.size()); i-- > 0;) {
      const Operation& operation = trace[i].operation;
      if (operation.task != wanted.task || operation.kind != wanted.kind || operation.object != wanted.object) continue;
      if (operation.pc == wanted.pc) return i;
      if (elsewhere == trace.size()) elsewhere = i;
    }
    return elsewhere;
  };
  const std::size_t a = latest(first);
  const std::size_t b = latest(second);
  if (a == trace.size() || b == trace.size() || a == b) return std::nullopt;
  Cause cause;
  cause.first = std::min(a, b);
  cause.second = std::max(a, b);
  return cause;
}

// A race is a pair of accesses, a deadlock a cycle of locks: the finding names its own cause.
std::optional<Cause> cause_in_finding(const FindingRecord& raw, const std::vector<TraceEvent>& trace) {
  const std::size_t parts = std::min<std::size_t>(raw.participants, kMaxParticipants);
  if (raw.kind == FindingKind::data_race && parts >= 2) {
    // A step that is announced is traced, too.
    const std::size_t end = raw.step == 0 ? trace.size() : static_cast<std::size_t>(raw.step) + 1;
    return cause_of_operations(trace, end, raw.participant[0].operation, raw.participant[1].operation);
  }
  if (raw.kind != FindingKind::deadlock) return std::nullopt;
  // The step at which the task took the lock that the other waits for.
  const auto taken = [&](TaskId task, std::uint64_t lock) {
    for (std::size_t i = trace.size(); i-- > 0;) {
      const Operation& operation = trace[i].operation;
      if (operation.task == task && operation.object == lock) return i;
    }
    return trace.size();
  };
  for (std::size_t i = 0; i < parts; ++i) {
    const ParticipantRecord& mine = raw.participant[i];
    if (mine.holder == kNoTask || mine.holder == mine.operation.task) continue;
    for (std::size_t j = 0; j < parts; ++j) {
      const ParticipantRecord& its = raw.participant[j];
      if (its.operation.task != mine.holder || its.holder == kNoTask) continue;
      const std::size_t a = taken(mine.holder, mine.operation.object);
      const std::size_t b = taken(its.holder, its.operation.object);
      if (a == trace.size() || b == trace.size() || a == b) continue;
      Cause cause;
      cause.first = std::min(a, b);
      cause.second = std::max(a, b);
      return cause;
    }
  }
  return std::nullopt;
}

std::optional<Cause> cause_of_misuse(const FindingRecord& finding, const ExecutionRecord& record) {
  const std::vector<TraceEvent>& trace = record.trace;
  std::size_t freed = trace.size();
  for (std::size_t i = 0; i < trace.size(); ++i) {
    const Operation& operation = trace[i].operation;
    const bool is_it = operation.kind == OperationKind::heap_free && operation.object == finding.block.start;
    if (is_it && operation.task == finding.block.freed_by) freed = i;
  }
  if (freed == trace.size()) return std::nullopt;
  const Operation& use = finding.participant[0].operation;
  const auto is_use = [&](const TraceEvent& event) {
    return event.operation.task == use.task && event.operation.kind == use.kind && event.operation.object == use.object;
  };
  Cause cause;
  cause.first = freed;
  for (std::size_t i = trace.size(); i-- > freed + 1;) {
    if (!is_use(trace[i])) continue;
    cause.second = i;
    return cause;
  }
  for (std::size_t i = record.accesses.size(); i-- > 0 && record.accesses[i].position > freed;) {
    if (!is_use(record.accesses[i])) continue;
    cause.second = trace.size() + i;
    return cause;
  }
  return std::nullopt;
}

}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
#include "driver/findings/wait_cause.h"

#include <algorithm>
#include <map>
#include <set>

#include "driver/findings/conflicts.h"

namespace ravel {
namespace {

bool writes(const Operation& operation) {
  return is_memory_access(operation.kind) && operation_role(operation.kind) != OperationRole::reads;
}

// What tasks read and wrote, steps and plain accesses alike, by when it was done.
class Accesses {
 public:
  Accesses(const std::vector<TraceEvent>& trace, const std::vector<TraceEvent>& plain) : trace_(trace), plain_(plain) {
    for (const TraceEvent& event : trace) note_write(event.operation);
    for (const TraceEvent& event : plain) note_write(event.operation);
  }

  bool known() const { return !plain_.empty(); }

  // What the task did after step `from` and before step `to`.
  template <typename Visit>
  void visit(TaskId task, std::size_t from, std::size_t to, const Visit& visit) const {
    for (std::size_t i = from + 1; i < to; ++i) {
      const Operation& operation = trace_[i].operation;
      if (operation.task == task && is_memory_access(operation.kind)) visit(operation);
    }
    for (const TraceEvent& event : plain_) {
      if (event.operation.task == task && event.position > from && event.position <= to) visit(event.operation);
    }
  }

  // Did the task look at something that others write?
  bool looks(TaskId task, std::size_t from, std::size_t to) const {
    bool found = false;
    visit(task, from, to, [&](const Operation& operation) {
      const auto writers = writers_.find(operation.object >> 3);
      found =
          found || (writers != writers_.end() && std::any_of(writers->second.begin(), writers->second.end(),
                                                             [&](TaskId writer) { return writer != operation.task; }));
    });
    return found;
  }

  // Does `writer` change between the steps what `reader` looks at between its own?
  bool changes(TaskId writer, std::size_t from, std::size_t to, TaskId reader, std::size_t read_from,
               std::size_t read_to) const {
    std::set<std::uint64_t> read;
    visit(reader, read_from, read_to, [&](const Operation& operation) { read.insert(operation.object >> 3); });
    bool found = false;
    visit(writer, from, to, [&](const Operation& operation) {
      found = found || (writes(operation) && read.contains(operation.object >> 3));
    });
    return found;
  }

 private:
  void note_write(const Operation& operation) {
    if (writes(operation)) writers_[operation.object >> 3].insert(operation.task);
  }

  const std::vector<TraceEvent>& trace_;
  const std::vector<TraceEvent>& plain_;
  std::map<std::uint64_t, std::set<TaskId>> writers_;
};

// The step at which the task took `lock` for what it does at `at`; at itself when it did not.
std::size_t section_of(const std::vector<TraceEvent>& trace, std::size_t at, std::uint64_t lock) {
  const TaskId task = trace[at].operation.task;
  for (std::size_t i = at; i-- > 0;) {
    const Operation& operation = trace[i].operation;
    if (operation.task != task || operation.object != lock) continue;
    if (takes_lock(operation.kind)) return i;
    if (releases_lock(operation.kind)) return at;
  }
  return at;
}

bool waits_on_condition(const Operation& operation) {
  return operation.kind == OperationKind::condition_wait || operation.kind == OperationKind::condition_timed_wait;
}

class Suspicions {
 public:
  Suspicions(const std::vector<TraceEvent>& trace, const WaitHistory& history, const std::vector<TraceEvent>& accesses)
      : trace_(trace), history_(history), accesses_(trace, accesses) {}

  std::vector<WaitSuspicion> of(const std::vector<Operation>& stuck) {
    suspect_circle(stuck);
    for (const auto& look :
         {&Suspicions::suspect_unheard, &Suspicions::suspect_woke_another, &Suspicions::suspect_wrong_condition}) {
      for (const Operation& operation : stuck) {
        if (const WaitSpan* const span = history_.last_of(operation.task)) (this->*look)(*span);
      }
    }
    return std::move(found_);
  }

 private:
  void suspect(const WaitSuspicion& suspicion) {
    if (std::find(found_.begin(), found_.end(), suspicion) == found_.end()) found_.push_back(suspicion);
  }

  TaskId task_at(std::size_t step) const { return trace_[step].operation.task; }

  // Who changed last what the task waits for: the units of a semaphore that it took, say. kNoTask: nobody else.
  TaskId taker_for(const WaitSpan& span) const {
    constexpr std::uint32_t kKnown = kTraceBeforeKnown | kTraceAfterKnown;
    for (std::size_t i = trace_.size(); i-- > 0;) {
      const TraceEvent& event = trace_[i];
      if (event.operation.object != span.object || !writes(event.operation)) continue;
      if ((event.flags & kKnown) != kKnown || event.before == event.after) continue;
      return event.operation.task == span.task ? kNoTask : event.operation.task;
    }
    return kNoTask;
  }

  // Tasks that wait for what the next of them has taken, and the last for what the first has.
  void suspect_circle(const std::vector<Operation>& stuck) {
    for (const Operation& operation : stuck) {
      const WaitSpan* const first = history_.last_of(operation.task);
      const WaitSpan* latest = first;
      for (std::size_t length = 0; latest != nullptr && length < stuck.size(); ++length) {
        const TaskId taker = taker_for(*latest);
        if (taker == first->task && length > 0) {
          const auto [earlier, later] = std::minmax(first->begin, latest->begin);
          suspect({CauseKind::circle, earlier, later});
          return;
        }
        latest = taker == kNoTask ? nullptr : history_.last_of(taker);
      }
    }
  }

  // The latest notification came before the wait, and the task did not look again in between.
  void suspect_unheard(const WaitSpan& span) {
    for (auto one = history_.notifications().rbegin(); one != history_.notifications().rend(); ++one) {
      if (one->object != span.object || task_at(one->step) == span.task) continue;
      if (one->step > span.begin) return;
      if (!one->woke.empty() || accesses_.looks(span.task, one->step, span.begin)) return;
      // Without a view of what it reads: it may have looked after it took the lock.
      const std::size_t locked = section_of(trace_, span.begin, trace_[span.begin].operation.value);
      if (!accesses_.known() && waits_on_condition(trace_[span.begin].operation) && locked > one->step) return;
      suspect({CauseKind::unheard, one->step, span.begin});
      return;
    }
  }

  // A notification for one of several woke a task that waited again, and told nobody.
  void suspect_woke_another(const WaitSpan& span) {
    for (auto one = history_.notifications().rbegin(); one != history_.notifications().rend(); ++one) {
      if (one->object != span.object || one->all || one->waited.size() == one->woke.size()) continue;
      for (const std::size_t woken : one->woke) {
        const WaitSpan& other = history_.spans()[woken];
        if (!other.end) continue;
        const auto again = std::find_if(history_.spans().begin(), history_.spans().end(), [&](const WaitSpan& next) {
          return next.task == other.task && next.begin > *other.end;
        });
        if (again == history_.spans().end() || again->object != span.object) continue;
        if (notified_between(other.task, *other.end, again->begin)) continue;
        suspect({CauseKind::woke_another, one->step, again->begin});
      }
    }
  }

  bool notified_between(TaskId task, std::size_t from, std::size_t to) const {
    return std::any_of(history_.notifications().begin(), history_.notifications().end(), [&](const Notification& one) {
      return task_at(one.step) == task && one.step > from && one.step < to;
    });
  }

  // Somebody changed what the task waits for and notified others, who wait under the same lock.
  void suspect_wrong_condition(const WaitSpan& span) {
    const Operation& wait = trace_[span.begin].operation;
    if (!waits_on_condition(wait)) return;
    const std::uint64_t lock = wait.value;
    std::set<std::uint64_t> conditions;  // of the same lock
    for (const TraceEvent& event : trace_) {
      if (waits_on_condition(event.operation) && event.operation.value == lock)
        conditions.insert(event.operation.object);
    }
    const std::size_t looked_from = last_look(span, lock);
    for (const Notification& one : history_.notifications()) {
      const TaskId notifier = task_at(one.step);
      if (one.step < span.begin || notifier == span.task || one.object == span.object) continue;
      const std::size_t section = section_of(trace_, one.step, lock);
      if (!conditions.contains(one.object) && section == one.step) continue;
      const std::size_t begin = section == one.step ? span.begin : section;
      if (!accesses_.changes(notifier, begin, one.step, span.task, looked_from, span.begin)) continue;
      suspect({CauseKind::wrong_condition, span.begin, one.step});
      return;
    }
  }

  // Where the task began to look before it waited: where it took the lock, or woke before.
  std::size_t last_look(const WaitSpan& span, std::uint64_t lock) const {
    std::size_t from = section_of(trace_, span.begin, lock);
    for (const WaitSpan& other : history_.spans()) {
      if (other.task == span.task && other.end && *other.end < span.begin) from = std::max(from, *other.end);
    }
    return from;
  }

  const std::vector<TraceEvent>& trace_;
  const WaitHistory& history_;
  Accesses accesses_;
  std::vector<WaitSuspicion> found_;
};

Cause cause_of(CauseKind kind, std::size_t first, std::size_t second, bool passes) {
  Cause cause;
  cause.first = first;
  cause.second = second;
  cause.passes_otherwise = passes;
  cause.kind = kind;
  return cause;
}

class WaitTrials {
 public:
  WaitTrials(TrialRunner& runner, const Shrunk& failing)
      : runner_(runner),
        directions_(failing.directions),
        trace_(failing.trial.trace),
        own_(own_steps_of(trace_)),
        answers_(answers_in(failing.trial.decisions)),
        history_(trace_, failing.trial.decisions) {}

  const WaitHistory& history() const { return history_; }

  bool passes_otherwise(const WaitSuspicion& suspicion) {
    if (suspicion.kind == CauseKind::woke_another) return passes_for_another_waiter(suspicion);
    return passes_the_other_way_round(suspicion);
  }

  std::optional<AnswerCause> of_answers() {
    for (std::size_t i = directions_.size(); i-- > 0;) {
      const Direction& direction = directions_[i];
      if (direction.kind != DirectionKind::environment || direction.step == 0) continue;
      const std::size_t step = index_of(direction.task, direction.step - 1);
      if (step == trace_.size()) continue;
      const std::optional<EnvironmentKind> kind = kind_of(step, direction.index);
      if (!kind) continue;
      Directions rest = directions_;
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
      AnswerCause found{{}, runner_.run(rest), std::nullopt};
      const bool told = found.passing.passes && can_be_told(*kind, trace_[step].operation);
      if (told && tell_answer(*kind, step, found)) return found;
    }
    return std::nullopt;
  }

 private:
  static constexpr unsigned kMostPlaces = 12;

  static bool can_be_told(EnvironmentKind kind, const Operation& operation) {
    switch (kind) {
      case EnvironmentKind::spurious_wakeup:
      case EnvironmentKind::weak_failure:
        return true;
      case EnvironmentKind::early_timeout:
        return begins_wait(operation);
      default:
        return false;
    }
  }

  std::size_t index_of(TaskId task, std::uint32_t own) const {
    for (std::size_t i = 0; i < trace_.size(); ++i) {
      if (trace_[i].operation.task == task && own_[i] == own) return i;
    }
    return trace_.size();
  }

  std::size_t next_step_of(TaskId task, std::size_t after) const {
    for (std::size_t i = after + 1; i < trace_.size(); ++i) {
      if (trace_[i].operation.task == task) return i;
    }
    return trace_.size();
  }

  // Where the task found out what it expects at `step`; trace_.size() when it did not look.
  std::size_t latest_look(std::size_t step) const {
    const Operation& mine = trace_[step].operation;
    for (std::size_t i = step; i-- > 0;) {
      const Operation& operation = trace_[i].operation;
      if (operation.task == mine.task && is_memory_access(operation.kind) && operation.object == mine.object) return i;
    }
    return trace_.size();
  }

  // The kind of the index-th answer after that step.
  std::optional<EnvironmentKind> kind_of(std::size_t step, std::uint16_t index) const {
    for (const GivenAnswer& answer : answers_) {
      if (answer.step == step && index-- == 0) return answer.kind;
    }
    return std::nullopt;
  }

  Directions with(const Direction& added) const {
    Directions directions = directions_;
    std::erase_if(directions, [&](const Direction& old) {
      return old.task == added.task && old.step == added.step && old.kind == added.kind && old.index == added.index;
    });
    directions.insert(std::upper_bound(directions.begin(), directions.end(), added), added);
    return directions;
  }

  // The second task goes first, from one of the places at which the first could have been held back.
  bool passes_the_other_way_round(const WaitSuspicion& suspicion) {
    const Operation& first = trace_[suspicion.first].operation;
    const Operation& second = trace_[suspicion.second].operation;
    unsigned tried = 0;
    for (std::size_t i = suspicion.first + 1; i-- > 0 && tried < kMostPlaces;) {
      if (trace_[i].operation.task != first.task) continue;
      ++tried;
      const Trial trial = runner_.run(with({first.task, own_[i], DirectionKind::go_to, 0, second.task}));
      if (trial.passes && is_reversed(trial, first, second)) return true;
    }
    return false;
  }

  // The second operation was made before the first, or the first was not needed any more.
  static bool is_reversed(const Trial& trial, const Operation& first, const Operation& second) {
    for (const TraceEvent& event : trial.trace) {
      const auto is = [&](const Operation& operation) {
        return event.operation.task == operation.task && event.operation.kind == operation.kind &&
               event.operation.object == operation.object && event.operation.pc == operation.pc;
      };
      if (is(second)) return true;
      if (is(first)) return false;
    }
    return false;
  }

  bool passes_for_another_waiter(const WaitSuspicion& suspicion) {
    const auto one = std::find_if(history_.notifications().begin(), history_.notifications().end(),
                                  [&](const Notification& it) { return it.step == suspicion.first; });
    if (one == history_.notifications().end()) return false;
    std::uint16_t index = 0;
    for (const GivenAnswer& answer : answers_) {
      if (answer.step != suspicion.first) continue;
      if (answer.kind == EnvironmentKind::notify_target) break;
      ++index;
    }
    const Operation& notification = trace_[suspicion.first].operation;
    for (std::uint32_t chosen = 0; chosen < one->waited.size(); ++chosen) {
      if (history_.spans()[one->waited[chosen]].task == trace_[suspicion.second].operation.task) continue;
      const Direction answer{notification.task, own_[suspicion.first] + 1, DirectionKind::environment, index, chosen};
      if (runner_.run(with(answer)).passes) return true;
    }
    return false;
  }

  bool tell_answer(EnvironmentKind kind, std::size_t step, AnswerCause& found) const {
    const std::size_t none = trace_.size();
    const Operation& mine = trace_[step].operation;
    const auto tell = [&](CauseKind what, std::size_t first, std::size_t second) {
      found.cause = cause_of(what, first, second, true);
      return first != none && second != none;
    };
    if (kind == EnvironmentKind::weak_failure) {
      const Conflicts conflicts(trace_);
      return tell(CauseKind::weak_failure, latest_look(step), step) ||
             tell(CauseKind::weak_failure, conflicts.previous_conflict(step), step) ||
             tell(CauseKind::weak_failure, step, conflicts.next_conflict(step));
    }
    if (kind == EnvironmentKind::spurious_wakeup) {
      return tell(CauseKind::spurious_wakeup, step, next_step_of(mine.task, step));
    }
    // Too early for a notification that came later here, or that came in the execution that passes.
    for (std::size_t i = step + 1; i < none; ++i) {
      const Operation& operation = trace_[i].operation;
      const bool is_meant = notifies(operation.kind) && operation.object == mine.object && operation.task != mine.task;
      if (is_meant) return tell(CauseKind::timed_out, step, i);
    }
    const WaitHistory history(found.passing.trace, found.passing.decisions);
    for (const Notification& one : history.notifications()) {
      for (const std::size_t woken : one.woke) {
        const WaitSpan& span = history.spans()[woken];
        if (span.task != mine.task || found.passing.trace[span.begin].operation.pc != mine.pc) continue;
        tell(CauseKind::timed_out, step, none);
        found.cause.missing = found.passing.trace[one.step].operation;
        found.missing_step = one.step;
        return true;
      }
    }
    return false;
  }

  TrialRunner& runner_;
  const Directions& directions_;
  const std::vector<TraceEvent>& trace_;
  std::vector<std::uint32_t> own_;
  std::vector<GivenAnswer> answers_;
  WaitHistory history_;
};

}  // namespace

std::vector<WaitSuspicion> suspect_waits(const std::vector<TraceEvent>& trace, const WaitHistory& history,
                                         const std::vector<TraceEvent>& accesses, const std::vector<Operation>& stuck) {
  return Suspicions(trace, history, accesses).of(stuck);
}

std::optional<Cause> find_wait_cause(TrialRunner& runner, const Shrunk& failing, const ExecutionRecord& record) {
  WaitTrials trials(runner, failing);
  std::optional<Cause> untried;
  for (const WaitSuspicion& suspicion :
       suspect_waits(record.trace, trials.history(), record.accesses, record.waiting)) {
    const bool is_circle = suspicion.kind == CauseKind::circle;  // as with locks, there is nothing to find out
    const bool passes = !is_circle && trials.passes_otherwise(suspicion);
    const Cause cause = cause_of(suspicion.kind, suspicion.first, suspicion.second, passes);
    if (passes || is_circle) return cause;
    if (!untried) untried = cause;
  }
  return untried;
}

std::optional<AnswerCause> find_answer_cause(TrialRunner& runner, const Shrunk& failing) {
  return WaitTrials(runner, failing).of_answers();
}

}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
#include "driver/findings/read_cause.h"

#include <algorithm>
#include <optional>
#include <set>

#include "driver/findings/wait_history.h"

namespace ravel {
namespace {

class Walk {
 public:
  Walk(const ExecutionLog& here, const ExecutionLog& passing, const LogMatch& match, const StandingOf& standing)
      : here_(here), there_(passing), match_(match), standing_(standing) {}

  std::vector<ReadCause> from(std::span<const TaskId> tasks) {
    for (const TaskId task : tasks) {
      if (!explain_wait(task)) explain(task, here_.of_task(task).size(), 0);
    }
    return std::move(found_);
  }

 private:
  // The task waits for ever: whoever ended that wait in the passing execution did not do so here.
  bool explain_wait(TaskId task) {
    const std::vector<std::size_t>& mine = here_.of_task(task);
    const std::size_t wait = mine.empty() ? kNoEvent : match_.there(mine.back());
    if (wait == kNoEvent) return false;
    const std::vector<std::size_t>& its = there_.of_task(task);
    const std::size_t next = there_.own(wait) + 1;
    if (next >= its.size() || !ends_wait(there_.at(its[next]).operation)) return false;
    const std::size_t notification = there_.at(its[next]).source;
    if (notification == kNoEvent || match_.here(notification) != kNoEvent) return false;
    return explain(there_.at(notification).task(), number_here(notification), 0);
  }

  // What the task had read when it was about to make its event number `end`. True when something explains it.
  bool explain(TaskId task, std::size_t end, unsigned depth) {
    constexpr unsigned kDeepest = 32;
    if (depth >= kDeepest) return false;
    const std::vector<std::size_t>& mine = here_.of_task(task);
    bool is_explained = false;
    for (std::size_t i = std::min(end, mine.size()); i-- > 0;) {
      const std::size_t read = mine[i];
      if (!came_from_elsewhere(read)) continue;
      const Standing standing = standing_(here_.at(read));
      if (standing != Standing::data && standing != Standing::bookkeeping) continue;
      const bool is_new = visited_.insert(read).second;
      if (standing == Standing::data) {
        if (is_new) add(read, depth);
        return true;
      }
      if (is_new) is_explained = explain_sources(read, depth + 1) || is_explained;
    }
    return is_explained;
  }

  // Something else was seen, and it came from another task.
  bool came_from_elsewhere(std::size_t read) const {
    if (!saw_something_else(here_, there_, match_, read)) return false;
    const LoggedEvent& event = here_.at(read);
    const LoggedEvent& other = there_.at(match_.there(read));
    if (event.memory != other.memory) return false;
    const auto is_own = [&](const ExecutionLog& log, const LoggedEvent& one) {
      return one.source != kNoEvent && log.at(one.source).task() == one.task();
    };
    if (is_own(here_, event) && is_own(there_, other)) return false;
    return event.source != kNoEvent || other.source != kNoEvent || event.older_store;
  }

  void add(std::size_t read, unsigned depth) {
    const std::size_t number = found_.size();
    const std::optional<ReadCause> cause = pair_of(read);
    if (cause) {
      found_.push_back(*cause);
      found_.back().depth = depth;
    }
    const bool went_another_way = explain_way_to(read, depth + 1);
    const bool is_explained = explain_sources(read, depth + 1) || went_another_way;
    if (cause) found_[number].is_root = !is_explained;
  }

  // Why the writes that the read saw, here and in the passing execution, were other ones, or were not made.
  bool explain_sources(std::size_t read, unsigned depth) {
    const LoggedEvent& event = here_.at(read);
    const LoggedEvent& other = there_.at(match_.there(read));
    bool is_explained = false;
    if (event.source != kNoEvent) {
      const std::size_t write = event.source;
      if (here_.at(write).task() != event.task() && differs(write)) {
        is_explained = explain(here_.at(write).task(), here_.own(write), depth);
      }
    }
    if (other.source != kNoEvent && there_.at(other.source).task() != event.task()) {
      const std::size_t write = match_.here(other.source);
      if (write == kNoEvent || differs(write)) {
        const TaskId task = there_.at(other.source).task();
        is_explained = explain(task, number_here(other.source), depth) || is_explained;
      }
    }
    return is_explained;
  }

  // The task went another way before the read: what it had read then.
  bool explain_way_to(std::size_t read, unsigned depth) {
    const std::vector<std::size_t>& mine = here_.of_task(here_.at(read).task());
    std::size_t next = match_.there(read);
    for (std::size_t i = here_.own(read); i-- > 0;) {
      const std::size_t other = match_.there(mine[i]);
      const bool went_another_way = other == kNoEvent || there_.own(other) + 1 != there_.own(next);
      if (went_another_way) return explain(here_.at(read).task(), i + 1, depth);
      next = other;
    }
    return false;
  }

  // A write that both made, with another value or to another place; or that only one of them made.
  bool differs(std::size_t write) const {
    const std::size_t other = match_.there(write);
    if (other == kNoEvent) return true;
    const LoggedEvent& a = here_.at(write);
    const LoggedEvent& b = there_.at(other);
    return a.memory != b.memory || (a.left_known && b.left_known && a.left != b.left);
  }

  // Where an event of the passing execution would be: how many events the task had made here by then.
  std::size_t number_here(std::size_t passing) const {
    const std::vector<std::size_t>& its = there_.of_task(there_.at(passing).task());
    for (std::size_t i = there_.own(passing) + 1; i-- > 0;) {
      if (const std::size_t same = match_.here(its[i]); same != kNoEvent) return here_.own(same) + 1;
    }
    return 0;
  }

  // The two operations whose order made the read see something else.
  std::optional<ReadCause> pair_of(std::size_t read) const {
    const LoggedEvent& event = here_.at(read);
    const std::size_t passing_read = match_.there(read);
    const LoggedEvent& other = there_.at(passing_read);
    ReadCause cause;
    cause.read = read;
    if (event.older_store) {
      for (std::size_t i = read; i-- > 0;) {
        const LoggedEvent& store = here_.at(i);
        if (!store.writes || store.task() == event.task() || !same_memory(store, event)) continue;
        cause.first = i;
        cause.second = read;
        cause.weak = true;
        return cause;
      }
      return std::nullopt;
    }
    const std::size_t seen = event.source;
    if (seen != kNoEvent && here_.at(seen).task() != event.task()) {
      const std::size_t there = match_.there(seen);
      if (there == kNoEvent || there > passing_read) {
        cause.first = seen;
        cause.second = read;
        return cause;
      }
    }
    const std::size_t expected = other.source;
    if (expected == kNoEvent) return std::nullopt;
    const std::size_t here = match_.here(expected);
    if (there_.at(expected).task() != event.task()) {
      if (here == kNoEvent) {
        cause.first = last_look(read, here_.events().size());
        cause.missing = expected;
        return cause;
      }
      if (here > read) {
        cause.first = last_look(read, here);
        cause.second = here;
        cause.third = come_back(cause.first, here);
        return cause;
      }
    }
    // One write hid the other.
    if (seen == kNoEvent || here == kNoEvent || here >= seen || here_.at(here).task() == here_.at(seen).task()) {
      return std::nullopt;
    }
    cause.first = here;
    cause.second = seen;
    cause.hides = true;
    for (std::size_t i = here; i-- > 0;) {
      const LoggedEvent& before = here_.at(i);
      if (before.task() != here_.at(seen).task() || !before.reads || !same_memory(before, here_.at(seen))) continue;
      if (standing_(before) != Standing::data) continue;
      cause.first = i;
      cause.second = here;
      cause.third = seen;
      break;
    }
    return cause;
  }

  // The latest time before `end` that the task looked there, without anything in between that others could notice, and
  // found nothing of another task.
  std::size_t last_look(std::size_t read, std::size_t end) const {
    const LoggedEvent& event = here_.at(read);
    const std::vector<std::size_t>& mine = here_.of_task(event.task());
    std::size_t last = read;
    for (std::size_t i = here_.own(read) + 1; i < mine.size() && mine[i] < end; ++i) {
      const LoggedEvent& later = here_.at(mine[i]);
      if (!is_memory_access(later.operation.kind)) break;
      if (!later.reads || later.memory != event.memory || later.operation.size != event.operation.size) continue;
      const bool is_own = later.source != kNoEvent && here_.at(later.source).task() == event.task();
      if (later.source != event.source && !is_own) break;
      if (standing_(later) == Standing::data) last = mine[i];
    }
    return last;
  }

  // Where the task of `first` touches again what `second` wrote.
  std::size_t come_back(std::size_t first, std::size_t second) const {
    const std::vector<std::size_t>& mine = here_.of_task(here_.at(first).task());
    for (std::size_t i = here_.own(first) + 1; i < mine.size(); ++i) {
      if (mine[i] < second) continue;
      const LoggedEvent& later = here_.at(mine[i]);
      if ((later.reads || later.writes) && same_memory(later, here_.at(second))) return mine[i];
    }
    return kNoEvent;
  }

  const ExecutionLog& here_;
  const ExecutionLog& there_;
  const LogMatch& match_;
  const StandingOf& standing_;
  std::set<std::size_t> visited_;
  std::vector<ReadCause> found_;
};

}  // namespace

bool saw_something_else(const ExecutionLog& here, const ExecutionLog& there, const LogMatch& match, std::size_t read) {
  const LoggedEvent& event = here.at(read);
  const std::size_t same = match.there(read);
  if (!event.reads || same == kNoEvent) return false;
  const LoggedEvent& other = there.at(same);
  if (event.memory != other.memory) return true;
  if (event.seen_known && other.seen_known) return event.seen != other.seen;
  if (event.source == kNoEvent || other.source == kNoEvent) return event.source != other.source;
  return match.there(event.source) != other.source;
}

std::vector<ReadCause> find_read_causes(const ExecutionLog& here, const ExecutionLog& passing, const LogMatch& match,
                                        std::span<const TaskId> failing, const StandingOf& standing) {
  return Walk(here, passing, match, standing).from(failing);
}

}  // namespace ravel

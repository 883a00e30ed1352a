// SPDX-License-Identifier: Apache-2.0
#include "driver/findings/read_cause_choice.h"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

#include "base/random.h"
#include "driver/findings/wait_history.h"

namespace ravel {

namespace {

bool takes_older_store(const ExecutionRecord& record) {
  return std::any_of(record.decisions.begin(), record.decisions.end(),
                     [](const DecisionRun& run) { return run.kind == DecisionKind::reads_from && run.value != 0; });
}

// Every execution with the pair so failed, every one with the other way round passed.
bool always_fails(const TrialCounts& counts) {
  return counts.failed_otherwise == 0 && counts.passed_so == 0 && counts.failed_so >= 2 && counts.passed_otherwise >= 2;
}

}  // namespace

ReadCauseChoice::ReadCauseChoice(const ExecutionRecord& failing, std::vector<TaskId> tasks, SymbolSource& symbols)
    : failing_(failing), tasks_(std::move(tasks)), standing_(symbols), log_(failing) {}

void ReadCauseChoice::add(ExecutionRecord record, bool passes, const std::vector<TaskId>& failed) {
  ++tried_;
  std::uint64_t order = 0;
  for (const TraceEvent& event : record.trace)
    order = hash_mix(hash_mix(order, event.operation.task), event.operation.pc);
  if (!orders_.insert(order).second) return;
  Sample& sample = samples_.emplace_back(std::move(record), log_, passes);
  for (std::size_t i = 0; i < log_.events().size(); ++i) {
    if (saw_something_else(log_, sample.log, sample.match, i)) ++sample.distance;
  }
  // Another failure of the same kind says nothing about this one: another task's, or in another round of a loop.
  std::size_t common = 0;
  std::size_t longest = 0;
  for (const TaskId task : tasks_) {
    const std::vector<std::size_t>& mine = log_.of_task(task);
    common += static_cast<std::size_t>(std::count_if(
        mine.begin(), mine.end(), [&](std::size_t event) { return sample.match.there(event) != kNoEvent; }));
    longest += std::max(mine.size(), sample.log.of_task(task).size());
  }
  sample.is_like = failed == tasks_ && common * 10 >= longest * 9;
}

bool ReadCauseChoice::begins_with_read(const ReadCause& cause) const {
  return log_.at(cause.first).task() == log_.at(cause.read).task();
}

// nullopt: neither operation was made. `third`: where the first task comes back to what the second changed.
std::optional<bool> ReadCauseChoice::as_here(const ReadCause& cause, std::size_t third, const Sample& sample) const {
  const LogMatch& match = sample.match;
  if (cause.weak || cause.missing != kNoEvent) {
    if (match.there(cause.read) == kNoEvent) return std::nullopt;
    return !saw_something_else(log_, sample.log, match, cause.read);
  }
  // Where the same was read several times, the pair names the last one; the first is enough.
  const std::size_t first = match.there(begins_with_read(cause) ? cause.read : cause.first);
  const std::size_t second = match.there(cause.second);
  if (first == kNoEvent && second == kNoEvent) return std::nullopt;
  // The first task came back before the second changed anything: neither so nor the other way round.
  if (third != kNoEvent && first < second && match.there(third) < second) return std::nullopt;
  return first < second;  // what was not made comes after everything
}

TrialCounts ReadCauseChoice::count(const ReadCause& cause, const ReadCause* with) const {
  TrialCounts counts;
  counts.failed_so = 1;  // the failing execution itself
  const std::size_t third = comes_back(cause);
  const std::size_t third_with = with == nullptr ? kNoEvent : comes_back(*with);
  for (const Sample& sample : samples_) {
    if (!sample.passes && !sample.is_like) continue;
    std::optional<bool> so = as_here(cause, third, sample);
    if (with != nullptr && so) {
      const std::optional<bool> other = as_here(*with, third_with, sample);
      so = other ? std::optional<bool>(*so && *other) : std::nullopt;
    }
    if (!so) continue;
    ++(*so ? (sample.passes ? counts.passed_so : counts.failed_so)
           : (sample.passes ? counts.passed_otherwise : counts.failed_otherwise));
  }
  return counts;
}

// One execution says little: it may have passed for another reason. Unless there are hardly any others: then most of
// what was tried was an order that had been seen.
bool ReadCauseChoice::decides(const TrialCounts& counts) const {
  if (counts.failed_otherwise != 0) return false;
  constexpr std::size_t kFew = 3;
  const bool all_seen = orders_.size() * kFew <= tried_;
  return all_seen ? counts.passed_otherwise >= 1 : counts.passed_otherwise >= 3 && counts.failed_so >= 2;
}

std::size_t ReadCauseChoice::event_at(std::size_t place) const {
  const auto& events = log_.events();
  const auto found =
      std::find_if(events.begin(), events.end(), [&](const LoggedEvent& one) { return one.place == place; });
  return found == events.end() ? kNoEvent : static_cast<std::size_t>(found - events.begin());
}

bool ReadCauseChoice::passes_with_wait(std::size_t wait) const {
  const std::size_t here = event_at(wait);
  if (here == kNoEvent) return false;
  return std::any_of(samples_.begin(), samples_.end(), [&](const Sample& sample) {
    const std::size_t there = sample.match.there(here);
    if (!sample.passes || there == kNoEvent) return false;
    const WaitHistory history(sample.record.trace, sample.record.decisions);
    return std::any_of(history.spans().begin(), history.spans().end(), [&](const WaitSpan& span) {
      return span.begin == sample.log.at(there).place && span.how == WaitEnd::timed_out;
    });
  });
}

bool ReadCauseChoice::only_synchronises(const Cause& cause) {
  const auto is_bookkeeping = [this](std::size_t place) {
    const std::size_t event = event_at(place);
    return event != kNoEvent && standing_.of(log_.at(event), failing_) == Standing::bookkeeping;
  };
  return !cause.missing && is_bookkeeping(cause.first) && is_bookkeeping(cause.second);
}

void ReadCauseChoice::judge(Cause& cause) const {
  if (cause.weak) return;
  if (cause.missing) {
    if (const StackRecord* const stack = stack_like(*cause.missing)) cause.missing_stack = *stack;
    return;
  }
  ReadCause pair;
  pair.first = event_at(cause.first);
  pair.second = event_at(cause.second);
  if (pair.first == kNoEvent || pair.second == kNoEvent) return;
  pair.read = pair.first;
  cause.counts = count(pair);
  cause.passes_otherwise = decides(cause.counts);
}

// A task looked at something, another one changed it: where the first comes back to it. kNoEvent: nowhere.
std::size_t ReadCauseChoice::comes_back(const ReadCause& cause) const {
  if (cause.weak || cause.hides || cause.missing != kNoEvent || !begins_with_read(cause)) return kNoEvent;
  const TaskId task = log_.at(cause.first).task();
  for (std::size_t i = cause.second + 1; i < log_.events().size(); ++i) {
    const LoggedEvent& event = log_.at(i);
    if (event.task() != task || (!event.reads && !event.writes)) continue;
    if (same_memory(event, log_.at(cause.second))) return i;
  }
  return kNoEvent;
}

std::vector<ReadCauseChoice::Candidate> ReadCauseChoice::ranked(std::vector<Candidate> all) const {
  std::erase_if(all, [this](const Candidate& one) {
    return one.cause.missing == kNoEvent && log_.is_always_before(one.cause.first, one.cause.second);
  });
  if (all.empty()) return all;
  // Leaves those for which the number is at most `most` times the smallest.
  const auto keep_least = [&](auto&& number, double most = 1) {
    double least = number(all.front());
    for (const Candidate& one : all) least = std::min<double>(least, number(one));
    std::erase_if(all, [&](const Candidate& one) { return number(one) > least * most; });
  };
  const auto executions_per_failure = [](const TrialCounts& counts) {
    return static_cast<double>(counts.passed_so + counts.failed_so) / counts.failed_so;
  };
  keep_least([](const Candidate& one) { return one.counts.failed_otherwise; });
  keep_least([](const Candidate& one) { return always_fails(one.counts) ? 0 : 1; });
  keep_least([](const Candidate& one) { return one.cause.is_root ? 0 : 1; });
  keep_least([](const Candidate& one) { return one.cause.weak ? 0 : 1; });
  keep_least(
      [](const Candidate& one) { return one.counts.failed_otherwise == 0 && one.counts.passed_so == 0 ? 0 : 1; });
  keep_least([](const Candidate& one) { return one.cause.hides || one.cause.missing != kNoEvent ? 1 : 0; });
  keep_least([&](const Candidate& one) { return executions_per_failure(one.counts); }, 2);
  keep_least([](const Candidate& one) { return one.passing->distance; }, 2);
  // Of two tasks that did the same to each other, the one that was interrupted. Then the beginning of what should have
  // been one step.
  const auto rank = [this](const Candidate& one) {
    const bool is_left_alone = begins_with_read(one.cause) && comes_back(one.cause) == kNoEvent;
    return std::tuple(is_left_alone, one.cause.first, one.passing->distance, one.cause.depth);
  };
  std::stable_sort(all.begin(), all.end(), [&](const Candidate& a, const Candidate& b) { return rank(a) < rank(b); });
  return all;
}

std::optional<Cause> ReadCauseChoice::best() {
  const StandingOf standing = [this](const LoggedEvent& event) { return standing_.of(event, failing_); };
  std::vector<Candidate> candidates;
  // An execution that takes no older store is the measure of one that does, if there is one.
  const bool is_weak = takes_older_store(failing_);
  const bool has_strong = std::any_of(samples_.begin(), samples_.end(), [](const Sample& sample) {
    return sample.passes && !takes_older_store(sample.record);
  });
  for (const Sample& sample : samples_) {
    if (!sample.passes || (is_weak && has_strong && takes_older_store(sample.record))) continue;
    const std::size_t begin = candidates.size();
    for (const ReadCause& cause : find_read_causes(log_, sample.log, sample.match, tasks_, standing)) {
      candidates.push_back({cause, &sample, count(cause)});
    }
    // What explains another read is its cause, unless the trials say that it does not matter, or matters less.
    for (auto one = candidates.begin() + static_cast<std::ptrdiff_t>(begin); one != candidates.end(); ++one) {
      one->cause.is_root = std::none_of(candidates.begin() + static_cast<std::ptrdiff_t>(begin), candidates.end(),
                                        [&](const Candidate& other) {
                                          return other.cause.depth > one->cause.depth &&
                                                 other.counts.failed_otherwise <= one->counts.failed_otherwise &&
                                                 (always_fails(other.counts) || !always_fails(one->counts));
                                        });
    }
  }
  // What is a consequence in comparison with an execution that is as near is one here, too.
  std::vector<std::size_t> consequences;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const Candidate& one = candidates[i];
    const bool is_consequence = std::any_of(candidates.begin(), candidates.end(), [&](const Candidate& other) {
      return !other.cause.is_root && other.cause.read == one.cause.read &&
             other.passing->distance <= one.passing->distance;
    });
    if (is_consequence) consequences.push_back(i);
  }
  for (const std::size_t i : consequences) candidates[i].cause.is_root = false;
  std::vector<Candidate> ranks = ranked(candidates);
  if (ranks.empty()) return std::nullopt;
  Candidate best = ranks.front();
  make_whole(best, candidates);
  const bool is_whole = best.cause.third != kNoEvent && !best.cause.hides;
  for (std::size_t i = 0; i < ranks.size() && !is_whole; ++i) {
    if (!add_partner(ranks[i], candidates)) continue;
    best = ranks[i];
    break;
  }
  const bool is_told = best.cause.third != kNoEvent || best.cause.also_first != kNoEvent;
  if (!is_told) best.cause.third = comes_back(best.cause);
  leave_out_look_before_wait(best);
  return told(best);
}

// What a task found out and what it did about it should have been one step: it read, another task changed that, and it
// read again. If the program passes with the change before both, and with the change after both, both are told.
void ReadCauseChoice::make_whole(Candidate& best, const std::vector<Candidate>& all) const {
  const ReadCause use = best.cause;
  if (use.weak || use.hides || use.missing != kNoEvent || use.second != use.read) return;
  const TaskId task = log_.at(use.read).task();
  const auto in_one_go = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = std::min(from, to); i <= std::max(from, to); ++i) {
      if (log_.at(i).task() != log_.at(use.first).task()) return false;
    }
    return true;
  };
  for (const Candidate& one : all) {
    const ReadCause& look = one.cause;
    if (look.weak || look.hides || look.missing != kNoEvent || look.second == look.read) continue;
    if (log_.at(look.first).task() != task || log_.at(look.second).task() != log_.at(use.first).task()) continue;
    if (look.first > use.first || one.counts.failed_otherwise > best.counts.failed_otherwise) continue;
    if (!is_beside(log_.at(look.read), log_.at(use.read)) || !in_one_go(look.second, use.first)) continue;
    // The look must matter: without it so, some of the executions pass that have the use so.
    if (best.counts.passed_so != 0 && count(use, &look).passed_so >= best.counts.passed_so) continue;
    best = one;
    best.cause.third = use.read;
    return;
  }
}

// One pair is not enough: another one with which it is. If that is a look of the task that makes the second operation,
// the two should have been one step, and the look is its beginning; else both pairs are told.
bool ReadCauseChoice::add_partner(Candidate& best, const std::vector<Candidate>& all) const {
  constexpr std::uint32_t kEnough = 3;  // fewer could have been left out by chance
  const auto can_have_one = [this](const Candidate& one) {
    const ReadCause& cause = one.cause;
    return !cause.weak && cause.missing == kNoEvent && one.counts.passed_so >= kEnough &&
           !log_.is_always_before(cause.first, cause.second);
  };
  if (!can_have_one(best) || (best.cause.third != kNoEvent && !best.cause.hides)) return false;
  const Candidate* partner = nullptr;
  TrialCounts together;
  for (const Candidate& one : all) {
    if (!can_have_one(one) || same_memory(log_.at(one.cause.first), log_.at(best.cause.first))) continue;
    // An operation has one place in the story.
    if (one.cause.second == best.cause.first || one.cause.first == best.cause.second) continue;
    if (one.cause.second == best.cause.second) continue;
    if (partner != nullptr && partner->cause.first <= one.cause.first) continue;
    const TrialCounts counts = count(best.cause, &one.cause);
    if (counts.passed_so != 0) continue;
    partner = &one;
    together = counts;
  }
  if (partner == nullptr) return false;
  const ReadCause& other = partner->cause;
  const std::size_t act = best.cause.second;
  if (begins_with_read(other) && log_.at(other.first).task() == log_.at(act).task() && other.second < act) {
    best = *partner;
    best.cause.third = act;
    return true;
  }
  best.cause.third = kNoEvent;
  best.cause.also_first = other.first;
  best.cause.also_second = other.second;
  best.counts = together;
  return true;
}

// Who waits expects that others change what it has looked at. What counts is what it finds afterwards.
void ReadCauseChoice::leave_out_look_before_wait(Candidate& best) const {
  ReadCause& cause = best.cause;
  if (cause.third == kNoEvent || !log_.at(cause.third).reads || !begins_with_read(cause)) return;
  const TaskId task = log_.at(cause.first).task();
  for (std::size_t i = cause.first + 1; i < cause.second; ++i) {
    if (log_.at(i).task() != task || !begins_wait(log_.at(i).operation)) continue;
    cause.first = cause.second;
    cause.second = cause.read = cause.third;
    cause.third = kNoEvent;
    best.counts = count(cause);
    return;
  }
}

const StackRecord* ReadCauseChoice::stack_like(const Operation& operation) const {
  for (const Sample& sample : samples_) {
    for (const LoggedEvent& event : sample.log.events()) {
      const Operation& other = event.operation;
      if (other.task == operation.task && other.kind == operation.kind && other.pc == operation.pc &&
          other.object == operation.object) {
        return &stack_of(sample.record, event.place);
      }
    }
  }
  return nullptr;
}

Cause ReadCauseChoice::told(const Candidate& candidate) const {
  const ReadCause& from = candidate.cause;
  Cause cause;
  cause.first = log_.at(from.first).place;
  if (from.missing != kNoEvent) {
    const LoggedEvent& missing = candidate.passing->log.at(from.missing);
    cause.second = failing_.trace.size();
    cause.missing = missing.operation;
    cause.missing_stack = stack_of(candidate.passing->record, missing.place);
  } else {
    cause.second = log_.at(from.second).place;
  }
  if (from.third != kNoEvent) cause.third = log_.at(from.third).place;
  if (from.also_first != kNoEvent) cause.also = {log_.at(from.also_first).place, log_.at(from.also_second).place};
  cause.weak = from.weak;
  cause.counts = candidate.counts;
  cause.passes_otherwise = decides(candidate.counts);
  return cause;
}

}  // namespace ravel

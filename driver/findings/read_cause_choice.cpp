// SPDX-License-Identifier: Apache-2.0
#include "driver/findings/read_cause_choice.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <tuple>
#include <utility>
#include <vector>

#include "base/random.h"

namespace ravel {

namespace {

bool takes_older_store(const ExecutionRecord& record) {
  return std::any_of(record.decisions.begin(), record.decisions.end(),
                     [](const DecisionRun& run) { return run.kind == DecisionKind::reads_from && run.value != 0; });
}

}  // namespace

ReadCauseChoice::ReadCauseChoice(const ExecutionRecord& failing, TaskId task, SymbolSource& symbols)
    : failing_(failing), task_(task), standing_(symbols), log_(failing) {}

void ReadCauseChoice::add(ExecutionRecord record, bool passes, TaskId failed) {
  std::uint64_t order = 0;
  for (const TraceEvent& event : record.trace) order = hash_mix(hash_mix(order, event.operation.task), event.operation.pc);
  if (!orders_.insert(order).second) return;
  Sample& sample = samples_.emplace_back(std::move(record), log_, passes);
  for (std::size_t i = 0; i < log_.events().size(); ++i) {
    if (saw_something_else(log_, sample.log, sample.match, i)) ++sample.distance;
  }
  // Another failure of the same kind says nothing about this one: another task's, or in another round of a loop.
  const std::vector<std::size_t>& mine = log_.of_task(task_);
  const auto common = static_cast<std::size_t>(std::count_if(
      mine.begin(), mine.end(), [&](std::size_t event) { return sample.match.there(event) != kNoEvent; }));
  const std::size_t longest = std::max(mine.size(), sample.log.of_task(task_).size());
  sample.is_like = failed == task_ && common * 10 >= longest * 9;
}

// nullopt: neither operation was made.
std::optional<bool> ReadCauseChoice::as_here(const ReadCause& cause, const Sample& sample) const {
  const LogMatch& match = sample.match;
  if (cause.weak || cause.missing != kNoEvent) {
    if (match.there(cause.read) == kNoEvent) return std::nullopt;
    return !saw_something_else(log_, sample.log, match, cause.read);
  }
  // Where the same was read several times, the pair names the last one; the first is enough.
  const bool begins_with_read = log_.at(cause.first).task() == log_.at(cause.read).task();
  const std::size_t first = match.there(begins_with_read ? cause.read : cause.first);
  const std::size_t second = match.there(cause.second);
  if (first == kNoEvent && second == kNoEvent) return std::nullopt;
  return first < second;  // what was not made comes after everything
}

TrialCounts ReadCauseChoice::count(const ReadCause& cause) const {
  TrialCounts counts;
  for (const Sample& sample : samples_) {
    if (!sample.passes && !sample.is_like) continue;
    const std::optional<bool> same = as_here(cause, sample);
    if (!same) continue;
    const bool as_here = *same;
    ++(as_here ? (sample.passes ? counts.passed_so : counts.failed_so)
               : (sample.passes ? counts.passed_otherwise : counts.failed_otherwise));
  }
  return counts;
}

bool ReadCauseChoice::is_better(const Candidate& a, const Candidate& b) const {
  const auto key = [](const Candidate& one) {
    const ReadCause& cause = one.cause;
    // How many of those in which the pair was so failed, in quarters: what differs less was chance.
    const auto so = std::max(1U, one.counts.failed_so + one.counts.passed_so);
    const int share = static_cast<int>(4 * one.counts.failed_so / so);
    const bool is_sure = one.counts.failed_otherwise == 0 && one.counts.passed_so == 0;
    return std::tuple(one.counts.failed_otherwise, !cause.is_root, !cause.weak, !is_sure,
                      cause.hides || cause.missing != kNoEvent, -share, std::bit_width(one.passing->distance) / 2,
                      cause.first, one.passing->distance, cause.depth);
  };
  return key(a) < key(b);
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
    for (const ReadCause& cause : find_read_causes(log_, sample.log, sample.match, task_, standing)) {
      candidates.push_back({cause, &sample, count(cause)});
    }
    // What explains another read is its cause, unless the trials say that it does not matter.
    for (auto one = candidates.begin() + static_cast<std::ptrdiff_t>(begin); one != candidates.end(); ++one) {
      one->cause.is_root = std::none_of(
          candidates.begin() + static_cast<std::ptrdiff_t>(begin), candidates.end(), [&](const Candidate& other) {
            return other.cause.depth > one->cause.depth && other.counts.failed_otherwise <= one->counts.failed_otherwise;
          });
    }
  }
  if (std::getenv("RAVEL_DEBUG_CAUSE") != nullptr) {
    for (const Sample& sample : samples_) {
      std::fprintf(stderr, "sample %s distance %zu events %zu\n", sample.passes ? "passes" : "fails", sample.distance,
                   sample.log.events().size());
    }
    std::stable_sort(candidates.begin(), candidates.end(), [this](const Candidate& a, const Candidate& b) { return is_better(a, b); });
    for (const Candidate& one : candidates) {
      const auto tell = [&](std::size_t index) {
        if (index == kNoEvent) {
          std::fprintf(stderr, " -");
          return;
        }
        const LoggedEvent& event = log_.at(index);
        std::string place = standing_.place(event, failing_);
        std::fprintf(stderr, " [%zu T%u %s %s seen %llx left %llx%s]", index, event.task(),
                     operation_name(event.operation.kind), place.c_str(), (unsigned long long)event.seen,
                     (unsigned long long)event.left, event.hidden ? " hidden" : "");
      };
      std::fprintf(stderr, "candidate depth %u root %d distance %zu so %u/%u otherwise %u/%u:", one.cause.depth,
                   one.cause.is_root, one.passing->distance, one.counts.failed_so, one.counts.passed_so,
                   one.counts.failed_otherwise, one.counts.passed_otherwise);
      tell(one.cause.read);
      std::fprintf(stderr, " pair");
      tell(one.cause.first);
      tell(one.cause.second);
      if (one.cause.missing != kNoEvent) std::fprintf(stderr, " missing");
      std::fprintf(stderr, "\n");
    }
  }
  const auto best = std::min_element(candidates.begin(), candidates.end(),
                                     [this](const Candidate& a, const Candidate& b) { return is_better(a, b); });
  if (best == candidates.end()) return std::nullopt;
  make_whole(*best, candidates);
  return told(*best);
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
    best = one;
    best.cause.third = use.read;
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
  cause.weak = from.weak;
  cause.counts = candidate.counts;
  cause.passes_otherwise = candidate.counts.decide();
  return cause;
}

}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
#include "driver/reproduce/test_search.h"

#include <algorithm>

#include "base/random.h"
#include "driver/crash/function_name.h"

namespace ravel {
namespace {

std::string outcome_text(const CallRecord& record) {
  if (record.exception == "ravel_harness::NoObject") return "gives no object";
  switch (record.outcome) {
    case CallOutcome::crashed:
      return "crashes";
    case CallOutcome::returned:
      return "returns";
    case CallOutcome::threw:
      return "throws " + (record.exception.empty() ? "something" : record.exception);
    case CallOutcome::waits:
      return "waits for another thread";
    case CallOutcome::starts_threads:
      return "starts threads of its own";
  }
  return "";
}

}  // namespace

std::size_t TestCandidate::calls() const {
  std::size_t count = prefix.size();
  for (const Sequence& suffix : suffixes) count += suffix.size();
  return count;
}

TestSearch::TestSearch(const ClassListing& listing, const CrashTarget& target, SequenceRunner& runner,
                       PlaceTable& table, SearchSettings settings)
    : listing_(listing), target_(target), runner_(runner), table_(table), settings_(std::move(settings)) {
  for (unsigned i = 0; i < listing.operations.size(); ++i) {
    const ClassOperation& operation = listing.operations[i];
    const std::vector<Call> calls = possible_calls(listing, i);
    std::vector<Call>& list = operation.makes_object() ? makers_ : all_;
    list.insert(list.end(), calls.begin(), calls.end());
  }
  choose_crashing();
  others_ = all_;
  if (target_.is_deadlock()) {
    other_side_ = target_.from_other_side();
    const std::string& function = other_side_.places.back().function;
    std::erase_if(others_, [&](const Call& call) {
      const std::string& name = listing_.operations[call.operation].name;
      return without_arguments(name) != function;
    });
  }
  Random random(settings_.seed);
  for (std::vector<Call>* const list : {&makers_, &all_, &crashing_, &others_}) {
    for (std::size_t i = list->size(); i > 1; --i)
      std::swap((*list)[i - 1], (*list)[random.below(static_cast<std::uint32_t>(i))]);
  }
}

// Of several overloads, the one with as many parameters as the report shows, if there is one.
void TestSearch::choose_crashing() {
  for (const bool by_parameters : {true, false}) {
    for (const Call& call : all_) {
      const ClassOperation& operation = listing_.operations[call.operation];
      if (operation.makes_object() || operation.method() != settings_.method) continue;
      if (!by_parameters || operation.pools.size() == target_.parameters) crashing_.push_back(call);
    }
    if (!crashing_.empty()) return;
  }
}

std::vector<Sequence> TestSearch::first_prefixes() {
  std::vector<Sequence> prefixes;
  for (const Call& maker : makers_) {
    if (settings_.deadline.has_come()) break;
    const Sequence sequence = {maker};
    const CallRecord& record = runner_.run(sequence);
    if (!record.returned()) {
      const std::string& signature = listing_.operations[maker.operation].signature;
      counts_.constructor_troubles.insert(signature + " " + outcome_text(record));
      continue;
    }
    if (states_.insert(record.state).second) prefixes.push_back(sequence);
  }
  return prefixes;
}

const Reach& TestSearch::reach_of(const Sequence& sequence, const CallRecord& record) {
  const auto known = reached_.find(sequence);
  if (known != reached_.end()) return known->second;
  const Reach& reach = reached_[sequence] = ravel::reach_of(record, target_, table_);
  counts_.deepest = std::max(counts_.deepest, reach.depth);
  return reach;
}

unsigned TestSearch::distance_of(const Reach& reach, const CallRecord& interfering) const {
  return target_.is_deadlock() ? nearest() : std::max(distance(reach, interfering), nearest());
}

bool TestSearch::fails_in_sequence(const Sequence& prefix, const Call& crashing, const Call& other) {
  if (!settings_.sorted || !target_.may_be_invalid_access()) return false;
  const CallRecord& record = runner_.run(extended(extended(prefix, other), crashing));
  return record.outcome == CallOutcome::crashed && record.in_last_call && ends_at_crash(record, target_, table_);
}

// Locks are what a deadlock is made of: neither what is written nor who holds what says anything against it.
std::optional<Pruning> TestSearch::reason_against(const CallRecord& alone, const CallRecord& interfering) const {
  const bool deadlock = target_.is_deadlock();
  if (prunes(Pruning::exception) && fails_alone(alone, interfering)) return Pruning::exception;
  if (deadlock && prunes(Pruning::stack) && !ravel::reach_of(interfering, other_side_, table_).reached) {
    return Pruning::stack;
  }
  if (prunes(Pruning::redundant) && covered_.contains(alone, interfering)) return Pruning::redundant;
  if (prunes(Pruning::interfere) && !deadlock && !interferes(alone, interfering)) return Pruning::interfere;
  if (prunes(Pruning::interleave) && !deadlock && !can_interleave(alone, interfering)) return Pruning::interleave;
  return std::nullopt;
}

// Each combination is counted and judged once, when its distance is looked at.
bool TestSearch::explore_prefix(const Sequence& prefix, unsigned distance, const Explore& explore) {
  const bool first_look = distance == nearest();
  for (const Call& crashing : crashing_) {
    if (settings_.deadline.has_come()) return false;
    if (first_look) counts_.combinations += others_.size();
    const Sequence first = extended(prefix, crashing);
    const CallRecord& alone = runner_.run(first);
    if (prunes(Pruning::exception) && !alone.returned()) {
      if (first_look) count(Pruning::exception, others_.size());
      continue;
    }
    const Reach& reach = reach_of(first, alone);
    if (prunes(Pruning::stack) && !reach.reached) {
      if (first_look) count(Pruning::stack, others_.size());
      continue;
    }
    for (const Call& other : others_) {
      if (settings_.deadline.has_come()) return false;
      const CallRecord& interfering = runner_.run(extended(prefix, other));
      unsigned its_distance = distance_of(reach, interfering);
      if (its_distance == nearest() && fails_in_sequence(prefix, crashing, other)) its_distance = kDistances - 1;
      if (its_distance != distance) continue;
      if (const auto pruning = reason_against(alone, interfering)) {
        count(*pruning, 1);
        continue;
      }
      covered_.insert(alone, interfering);
      ++counts_.explored;
      if (explore({prefix, {{crashing}, {other}}})) return true;
    }
  }
  return false;
}

// Prefixes that change what the crashing method reads come first: after them it may do something else.
void TestSearch::extend(const Sequence& prefix, std::vector<Sequence>& next) {
  for (const Call& call : all_) {
    if (settings_.deadline.has_come()) return;
    const Sequence longer = extended(prefix, call);
    const CallRecord& record = runner_.run(longer);
    if (!record.returned() || !states_.insert(record.state).second) continue;
    const bool matters = std::any_of(crashing_.begin(), crashing_.end(), [&](const Call& crashing) {
      return interferes(runner_.run(extended(prefix, crashing)), record);
    });
    next.insert(matters ? next.begin() : next.end(), longer);
  }
}

// Calls that change something the crashing method reads, those with the same coverage once.
std::vector<Call> TestSearch::helpful_calls(const Sequence& prefix, const CallRecord& alone) {
  std::vector<Call> helpful;
  std::set<std::uint64_t> seen;
  for (const Call& other : others_) {
    const CallRecord& record = runner_.run(extended(prefix, other));
    if (!record.returned() || !interferes(alone, record)) continue;
    if (seen.insert(record.coverage).second) helpful.push_back(other);
  }
  return helpful;
}

// Two other calls: in threads of their own, or one after the other in one thread. What the second one does may need the
// first.
bool TestSearch::explore_larger(const Sequence& prefix, const Explore& explore) {
  for (const Call& crashing : crashing_) {
    const Sequence first = extended(prefix, crashing);
    const CallRecord& alone = runner_.run(first);
    if (!alone.returned() || !reach_of(first, alone).reached) continue;
    for (const Call& other : helpful_calls(prefix, alone)) {
      for (const Call& last : helpful_calls(extended(prefix, other), alone)) {
        if (settings_.deadline.has_come()) return false;
        const TestCandidate tests[] = {{prefix, {{crashing}, {other}, {last}}}, {prefix, {{crashing}, {other, last}}}};
        for (const TestCandidate& test : tests) {
          if (test.suffixes.size() > settings_.threads || test.suffixes[1].size() > settings_.suffix) continue;
          ++counts_.explored;
          if (explore(test)) return true;
        }
      }
    }
  }
  return false;
}

bool TestSearch::explore_level(const std::vector<Sequence>& prefixes, unsigned from, unsigned to,
                               const Explore& explore) {
  for (unsigned distance = from; distance < to; ++distance) {
    for (const Sequence& prefix : prefixes) {
      if (explore_prefix(prefix, distance, explore)) return true;
      if (settings_.deadline.has_come()) return false;
    }
  }
  return false;
}

bool TestSearch::run(const Explore& explore) {
  const unsigned far = nearest() + 1;  // the first distance that waits
  std::vector<Sequence> pending = first_prefixes();
  std::vector<Sequence> before;  // whose far tests are left
  for (std::size_t length = 1; length <= settings_.longest && !pending.empty(); ++length) {
    counts_.prefixes += pending.size();
    if (explore_level(pending, nearest(), far, explore)) return true;
    if (explore_level(before, far, kDistances, explore)) return true;
    if (settings_.threads > 2 || settings_.suffix > 1) {
      for (const Sequence& prefix : pending) {
        if (explore_larger(prefix, explore)) return true;
      }
    }
    if (settings_.deadline.has_come()) return false;
    counts_.levels = length;
    std::vector<Sequence> next;
    if (length < settings_.longest) {
      for (const Sequence& prefix : pending) extend(prefix, next);
    }
    before = std::move(pending);
    pending = std::move(next);
  }
  if (explore_level(before, far, kDistances, explore)) return true;
  counts_.exhausted = !settings_.deadline.has_come();
  return false;
}

}  // namespace ravel

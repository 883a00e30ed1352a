// SPDX-License-Identifier: Apache-2.0
#include "driver/generate/in_place_planner.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "strategies/registry.h"
#include "strategies/search_prefix.h"

namespace ravel {
namespace {

// New scheduling points become rare soon. A program that shows some again and again must not be recorded for ever.
constexpr std::uint64_t kMostRounds = 16;

}  // namespace

InPlacePlanner::InPlacePlanner(const InPlaceOptions& options, InPlaceLog& log) : options_(options), log_(log) {
  // One after the other first, then in priorities, then mixed.
  for (const char* const name : {"sequential", "pct", "random", "pos"}) {
    recorders_.push_back(make_planner(name, options.seed));
  }
}

PlannedExecution InPlacePlanner::next(std::uint64_t execution) {
  under_way_ = true;
  log_.pair_of_execution.push_back(search_ == nullptr ? -1 : static_cast<std::ptrdiff_t>(log_.pairs.size()) - 1);
  if (search_ == nullptr) return next_recording();
  ++planned_;
  return search_->next(execution);
}

// With the flags of a search: the decisions of a recording must mean the same in one.
PlannedExecution InPlacePlanner::next_recording() {
  const std::uint64_t turn = recorded_ == 0 ? 0 : 1 + (recorded_ - 1) % (recorders_.size() - 1);
  PlannedExecution planned = recorders_[turn]->next(log_.recordings);
  const Plan search = search_plan(planned.plan.strategy, planned.plan.seed);
  planned.plan.trace = search.trace;
  planned.plan.spin_power = search.spin_power;
  planned.plan.exhaustive = search.exhaustive;
  planned.plan.environment_power = search.environment_power;
  planned.plan.stale_power = search.stale_power;
  return planned;
}

void InPlacePlanner::learn(const PlannedExecution& planned, const ExecutionView& view) {
  under_way_ = false;
  if (search_ == nullptr) {
    learn_recording(view);
    return;
  }
  search_->learn(planned, view);
  ++log_.pairs.back().executions;
  SearchProgress progress;
  search_->progress(progress);
  log_.pairs.back().orders = progress.classes;
  const bool stale = view.new_sites != 0;
  if (stale || search_->finished() || planned_ >= options_.executions_of_a_pair) end_pair(stale);
}

void InPlacePlanner::learn_recording(const ExecutionView& view) {
  ++log_.recordings;
  if (view.new_sites != 0 && rounds_ < kMostRounds) {
    record_again();
    return;
  }
  ++recorded_;
  if (!is_reliable(view)) ++log_.incomplete_recordings;
  const PartialOrder order(view);
  for (ParallelCalls& calls :
       parallel_calls(order, [&](std::uint64_t key) { return !known_.contains(key) && !done_.contains(key); })) {
    known_.insert(calls.key);
    log_.parallel.emplace(calls.functions[0], calls.functions[1]);
    waiting_.push_back(std::move(calls));
  }
  if (recorded_ < options_.recordings) return;
  order_pairs();
  begin_pair();
}

// What was recorded does not fit any more.
void InPlacePlanner::record_again() {
  ++rounds_;
  recorded_ = 0;
  waiting_.clear();
  known_.clear();
}

// Every two functions once before any others a second time; those that make the conflicting steps themselves before
// those that call them; small ones first.
void InPlacePlanner::order_pairs() {
  const auto weight = [](const ParallelCalls& calls) { return std::tuple(!calls.innermost, calls.steps, calls.key); };
  std::sort(waiting_.begin(), waiting_.end(),
            [&](const ParallelCalls& a, const ParallelCalls& b) { return weight(a) < weight(b); });
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> seen;
  for (ParallelCalls& calls : waiting_) calls.turn = seen[{calls.functions[0], calls.functions[1]}]++;
  std::stable_sort(waiting_.begin(), waiting_.end(),
                   [](const ParallelCalls& a, const ParallelCalls& b) { return a.turn < b.turn; });
  std::reverse(waiting_.begin(), waiting_.end());
}

void InPlacePlanner::begin_pair() {
  log_.left = waiting_.size();
  if (waiting_.empty()) {
    finished_ = true;
    return;
  }
  ParallelCalls next = std::move(waiting_.back());
  waiting_.pop_back();
  current_ = next.key;
  planned_ = 0;
  ExploredPair pair;
  std::copy(std::begin(next.functions), std::end(next.functions), std::begin(pair.functions));
  pair.innermost = next.innermost;
  log_.pairs.push_back(pair);
  log_.left = waiting_.size() + 1;
  search_ = make_window_planner(options_.seed, std::move(next.window));
}

void InPlacePlanner::end_pair(bool stale) {
  log_.pairs.back().complete = search_->complete();
  search_ = nullptr;
  const bool again = stale && rounds_ < kMostRounds;
  if (!again) {
    done_.insert(current_);
    all_complete_ = all_complete_ && log_.pairs.back().complete;
  }
  if (stale) {
    record_again();
  } else {
    begin_pair();
  }
}

bool InPlacePlanner::complete() const { return finished_ && all_complete_ && log_.incomplete_recordings == 0; }

}  // namespace ravel

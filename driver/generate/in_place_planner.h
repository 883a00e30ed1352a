// SPDX-License-Identifier: Apache-2.0
// InPlacePlanner: explores pairs of calls where they stand, in the whole program. First it records executions in
// different orders, and takes from them which calls can run at the same time (CallPairs). Then, pair after pair, it
// brings the program to the point where one task is about to make the one call and another task the other, holds
// everybody else, and explores every interleaving of these two calls from there (SearchWindow).
//
// Who calls it: generate(), as CampaignOptions::planner. Thread safety: as every planner.
//
// Invariants:
//  1. Pairs with the same key are explored once: the same functions, on the same paths, with the same conflicts.
//  2. No window is older than the latest scheduling point that was found: with more points the decisions that lead to
//     it mean something else. When an execution finds new ones, recording begins again.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include <ravel/strategy.h>

#include "driver/generate/call_pairs.h"

namespace ravel {

// Two calls that were explored, or tried to be.
struct ExploredPair {
  std::uint64_t functions[2] = {};  // where they begin
  bool innermost = false;           // ParallelCalls::innermost
  std::uint64_t executions = 0;
  std::uint64_t orders = 0;  // different interleavings of the two calls
  bool complete = false;     // all of them
};

// What the planner leaves, for reports.
struct InPlaceLog {
  std::uint64_t recordings = 0;
  std::uint64_t incomplete_recordings = 0;                     // executions with more steps or tasks than are looked at
  std::set<std::pair<std::uint64_t, std::uint64_t>> parallel;  // functions that can run at the same time and conflict
  std::vector<ExploredPair> pairs;
  std::size_t left = 0;                           // pairs found that were not explored
  std::vector<std::ptrdiff_t> pair_of_execution;  // index into pairs; -1: a recording
};

struct InPlaceOptions {
  std::uint64_t seed = 1;
  std::uint64_t recordings = 32;             // executions in a row without new scheduling points
  std::uint64_t executions_of_a_pair = 200;  // at most this many executions for two calls
};

class InPlacePlanner final : public Planner {
 public:
  // `log` outlives the planner.
  InPlacePlanner(const InPlaceOptions& options, InPlaceLog& log);

  PlannedExecution next(std::uint64_t execution) override;
  void learn(const PlannedExecution& planned, const ExecutionView& view) override;
  bool finished() const override { return finished_; }
  bool ready() const override { return !under_way_ && !finished_; }
  bool complete() const override;

 private:
  PlannedExecution next_recording();
  void learn_recording(const ExecutionView& view);
  void record_again();
  void order_pairs();
  void begin_pair();
  void end_pair(bool stale);

  InPlaceOptions options_;
  InPlaceLog& log_;
  std::vector<std::unique_ptr<Planner>> recorders_;  // they take turns
  std::uint64_t recorded_ = 0;                       // since the latest new scheduling point
  std::uint64_t rounds_ = 0;                         // how often recording has begun
  std::vector<ParallelCalls> waiting_;               // the next one last
  std::set<std::uint64_t> known_;                    // keys in waiting_
  std::set<std::uint64_t> done_;                     // keys that need not be explored any more
  std::unique_ptr<Planner> search_;                  // of the current pair; none: recording
  std::uint64_t current_ = 0;                        // its key
  std::uint64_t planned_ = 0;                        // executions of the current pair
  bool all_complete_ = true;                         // of the pairs in done_
  bool under_way_ = false;
  bool finished_ = false;
};

}  // namespace ravel

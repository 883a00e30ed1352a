// SPDX-License-Identifier: Apache-2.0
// Coverage: what a campaign has seen of the program's concurrency, beyond the number of partial orders. Four models,
// from coarse to fine:
//
//   interrupted functions   another task ran while one was inside the function               (ConTest)
//   function pairs          ... and which function that other task was in                    (ConTest)
//   conflict orders         two places in the code, adjacent accesses to one object by two tasks: which came first
//   reads-from pairs        which place wrote what a place read
//
// Learned from traces. Places are code addresses, which are the same in all executions of a campaign; functions are
// named at the end. Used by CampaignState under its lock. Deterministic: the same executions give the same numbers.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <ravel/strategy.h>

#include "base/recently_seen.h"
#include "reports/campaign_result.h"
#include "reports/symboliser.h"

namespace ravel {

class Coverage {
 public:
  // Learns from one traced execution. Returns how many new pairs it showed, over all models.
  std::uint32_t learn(const ExecutionView& view);

  // Names the functions of all places seen so far. False: there was no time for all, so nothing is known about them.
  using Clock = std::chrono::steady_clock;
  bool name_functions(SymbolSource& symbols, Clock::time_point end);

  void fill(CoverageResult& result) const;

 private:
  struct Object {
    std::uint64_t written_at = 0;  // place of the latest write; 0: none in this execution
    std::uint64_t touched_at = 0;  // place of the latest access
    TaskId touched_by = kNoTask;
    bool touch_writes = false;
  };
  struct TaskState {
    std::uint64_t interrupted_by = 0;  // first place another task was at since this one ran; 0: none
    bool began = false;
  };

  std::unordered_set<std::uint64_t> reads_from_;
  std::unordered_map<std::uint64_t, std::uint8_t> conflicts_;       // by unordered pair: bits 0 and 1: orders seen
  std::unordered_map<std::uint64_t, std::uint64_t> interruptions_;  // hash of the pair -> index in interruption_
  struct Interruption {
    std::uint64_t at = 0;
    std::uint64_t by = 0;
  };
  std::vector<Interruption> interruption_;
  std::unordered_set<std::uint64_t> places_;
  // In front of the sets.
  RecentlySeen recent_reads_;
  RecentlySeen recent_interruptions_;
  RecentlySeen recent_places_;
  std::uint64_t traced_ = 0;
  std::uint64_t orders_ = 0;  // conflict orders seen
  // Scratch memory of learn(), kept to avoid allocations.
  std::unordered_map<std::uint64_t, Object> objects_;
  std::vector<TaskState> tasks_;

  struct Functions {
    std::uint64_t interrupted = 0;
    std::uint64_t seen = 0;
    std::uint64_t pairs = 0;
  };
  Functions functions_;
};

}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
// LockOrder: the lock-order graph of a campaign, over all its executions. An edge says that a task wanted one lock
// while it held another; a cycle of edges is a possible deadlock, unless something rules it out:
//  - two edges of one task: it cannot wait for itself through its own locks;
//  - a gate: a lock that two edges hold in common lets only one of them happen at a time;
//  - the life of tasks: whenever both edges were seen in one execution, creation or join ordered one before the other;
//  - readers: those who share a lock do not wait for each other.
//
// Who calls it: CampaignState, under its lock. Thread safety: none of its own.
//
// A lock is named by its address and by its number among the locks that have been at that address. Address-space
// randomisation is off, so globals have the same address in every execution, and edges between them form cycles across
// executions. A heap or stack address may belong to another object in the next execution: such edges form cycles only
// with edges of their own execution.
//
// Invariants:
//  1. A cycle is kept once per set of code places, however many locks and tasks go through them.
//  2. The same executions in the same order give the same cycles with the same numbers.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <unordered_set>
#include <utility>
#include <vector>

#include "model/plan.h"
#include "reports/campaign_result.h"
#include "trace/channel.h"

namespace ravel {

class LockOrder {
 public:
  static constexpr std::size_t kLongest = kMaxLockHolds;

  struct Cycle {
    std::size_t number = 0;       // for describe()
    std::vector<LockEdge> edges;  // each wants what the next holds
  };

  // Takes the edges of one execution and the modules loaded in it. Returns the cycles that they complete.
  std::vector<Cycle> learn(std::span<const LockEdge> edges, std::span<const ModuleRecord> modules);

  // Sets the description of a cycle.
  void describe(std::size_t number, PotentialDeadlock words);

  // The user does not want to hear of it.
  void dismiss(std::size_t number) { cycles_[number].tries = kTries; }

  // Changes the plan into one that tries to run into a cycle, if there is one left to try.
  bool steer(Plan& plan);

  // A deadlock has happened: cycles at its places need not be reported.
  void happened(const ResolvedFinding& deadlock) { deadlocks_.push_back(deadlock); }

  // Cycles that did not happen and that nothing rules out.
  std::vector<PotentialDeadlock> take();

 private:
  static constexpr std::size_t kMaxEdges = 16384;
  static constexpr std::size_t kMaxCycles = 64;
  static constexpr std::size_t kMaxInstances = 8;         // of one cycle: other locks and tasks at the same places
  static constexpr std::uint64_t kTries = 48;             // executions steered towards one cycle
  static constexpr std::uint64_t kSearchSteps = 1 << 18;  // in one search

  struct Known {
    std::vector<std::vector<std::size_t>> instances;  // indices of edges
    std::uint64_t tries = 0;
    bool described = false;
    PotentialDeadlock words;
  };
  enum class Overlap : std::uint8_t { ordered, possible };

  std::size_t index_of(const LockEdge& edge, std::span<const ModuleRecord> modules);
  bool belong_together(const std::vector<std::size_t>& path) const;
  bool may_overlap(std::size_t a, std::size_t b) const;
  bool has_happened(const Known& cycle) const;
  bool is_possible(const std::vector<std::size_t>& cycle) const;
  void search(std::vector<std::size_t>& path, std::uint64_t& steps, std::vector<Cycle>& fresh);
  void keep(const std::vector<std::size_t>& path, std::vector<Cycle>& fresh);

  std::vector<LockEdge> edges_;
  std::vector<bool> global_;          // by index: both locks are globals
  std::vector<std::size_t> current_;  // edges of the execution being learned, sorted
  std::map<std::vector<std::uint64_t>, std::size_t> by_key_;
  std::map<std::pair<std::uint64_t, std::uint32_t>, std::vector<std::size_t>> by_held_;
  std::map<std::pair<std::size_t, std::size_t>, Overlap> together_;  // pairs seen in one execution, smaller index first
  std::unordered_set<std::uint64_t> seen_;                           // hashes of the edges of each execution
  std::map<std::vector<std::uint64_t>, std::size_t> by_places_;
  std::vector<Known> cycles_;
  std::vector<ResolvedFinding> deadlocks_;
  std::size_t next_try_ = 0;
};

}  // namespace ravel

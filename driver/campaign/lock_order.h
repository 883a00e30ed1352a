// SPDX-License-Identifier: Apache-2.0
// LockOrder: the lock-order graph of a campaign, over all its executions. An edge says that a task wanted one lock
// while it held another; a circle of edges is a deadlock that may happen, unless something rules it out:
//  - two edges of one task: it cannot wait for itself through its own locks;
//  - a gate: a lock that two edges hold in common lets only one of them happen at a time;
//  - the life of tasks: whenever both edges were seen in one execution, one came before the other by creation or join;
//  - readers: those who share a lock do not wait for each other.
//
// Who calls it: CampaignState, under its lock. Thread safety: none of its own.
//
// Locks are named by address and by the how-manyth lock at that address they are. Address-space randomisation is off,
// so globals have the same address in every execution, and edges between them make circles across executions. What
// lives on the heap or on a stack may be another object in the next execution: such edges count only with others of
// their own.
//
// Invariants:
//  1. A circle is kept once per set of code places, however many locks and tasks go through them.
//  2. Circles found by the same executions in the same order are the same, with the same numbers.
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

  struct Circle {
    std::size_t number = 0;       // for describe()
    std::vector<LockEdge> edges;  // each wants what the next holds
  };

  // The edges of one execution, and what was loaded in it. Returns the circles that they complete.
  std::vector<Circle> learn(std::span<const LockEdge> edges, std::span<const ModuleRecord> modules);

  // What the circle is in words.
  void describe(std::size_t number, PotentialDeadlock words);

  // Nobody wants to hear of it.
  void dismiss(std::size_t number) { circles_[number].tries = kTries; }

  // Makes the plan one that tries to run into a circle, if there is one left to try.
  bool steer(Plan& plan);

  // A deadlock has happened: circles at its places are told by it.
  void happened(const ResolvedFinding& deadlock) { deadlocks_.push_back(deadlock); }

  // Circles that did not happen, and that nothing rules out.
  std::vector<PotentialDeadlock> take();

 private:
  static constexpr std::size_t kMaxEdges = 16384;
  static constexpr std::size_t kMaxCircles = 64;
  static constexpr std::size_t kMaxInstances = 8;         // of one circle: other locks and tasks at the same places
  static constexpr std::uint64_t kTries = 48;             // executions steered towards one circle
  static constexpr std::uint64_t kSearchSteps = 1 << 18;  // of one search

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
  bool has_happened(const Known& circle) const;
  bool is_possible(const std::vector<std::size_t>& circle) const;
  void search(std::vector<std::size_t>& path, std::uint64_t& steps, std::vector<Circle>& fresh);
  void keep(const std::vector<std::size_t>& path, std::vector<Circle>& fresh);

  std::vector<LockEdge> edges_;
  std::vector<bool> global_;          // by index: both locks are globals
  std::vector<std::size_t> current_;  // of the execution being learned, sorted
  std::map<std::vector<std::uint64_t>, std::size_t> by_key_;
  std::map<std::pair<std::uint64_t, std::uint32_t>, std::vector<std::size_t>> by_held_;
  std::map<std::pair<std::size_t, std::size_t>, Overlap> together_;  // pairs seen in one execution, smaller index first
  std::unordered_set<std::uint64_t> seen_;                           // hashes of executions' edges
  std::map<std::vector<std::uint64_t>, std::size_t> by_places_;
  std::vector<Known> circles_;
  std::vector<ResolvedFinding> deadlocks_;
  std::size_t next_try_ = 0;
};

}  // namespace ravel

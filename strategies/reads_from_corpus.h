// SPDX-License-Identifier: Apache-2.0
// ReadsFromCorpus: what rff remembers over a campaign: which reads saw which writes, and the abstract schedules that
// showed something new. It learns from traces and makes new schedules by mutation. Driver side only; not thread-safe:
// planners are called by one worker at a time.
//
// Invariant: everything follows from the traces, their order and the generators passed in: no iteration over a hash
// table. All sizes are bounded.
#pragma once

#ifndef RAVEL_IN_TARGET
#include <ravel/strategy.h>

#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/random.h"
#include "strategies/reads_from_constraint.h"

namespace ravel {

class ReadsFromCorpus {
 public:
  // The next schedule to try.
  AbstractSchedule draw(Random& random);

  // Learns the result of a schedule. `ours`: it was made by draw(), so it may join the corpus.
  void learn(const AbstractSchedule& schedule, bool ours, const ExecutionView& view);

  std::size_t entries() const { return entries_.size(); }
  std::size_t pairs() const { return pairs_.size(); }

 private:
  // Operations seen at one code location on one object.
  struct Site {
    std::uint64_t pc = 0;
    std::vector<std::uint64_t> paths = {};  // of tasks, the first few
    std::uint64_t occurrences = 0;          // most by one task in one execution
  };

  // How often a task has been at a code location, in one execution.
  struct Count {
    std::uint64_t pc = 0;
    std::uint64_t path = 0;
    std::uint64_t execution = 0;
    std::uint64_t count = 0;
  };

  struct Object {
    std::uint64_t address = 0;
    std::vector<Site> reads = {};
    std::vector<Site> writes = {};
    std::uint64_t first_task = 0;    // path
    bool shared = false;             // touched by another task, too
    double pairs = 0;                // different ones seen
    double tries = 0;                // constraints made for it
    std::vector<Count> counts = {};  // the first few
    EventPattern latest = {};        // write, in execution written_in
    std::uint64_t written_in = 0;
  };

  struct Entry {
    AbstractSchedule schedule = {};
    std::uint64_t signature = 0;  // of the pairs it showed
    std::uint32_t news = 0;       // pairs it was the first to show
    std::uint32_t chosen = 0;
  };

  Object* object_at(std::uint64_t address);
  std::uint64_t count(Object& object, std::uint64_t pc, std::uint64_t path);
  static void note(std::vector<Site>& sites, std::uint64_t pc, std::uint64_t path, std::uint64_t occurrence);
  std::uint32_t take_pair(const Constraint& pair, bool same_task);
  std::size_t draw_entry(Random& random) const;
  bool make_constraint(Random& random, Constraint& made);
  void mutate(AbstractSchedule& schedule, Random& random);

  std::uint64_t execution_ = 0;  // how many have been learned from
  std::vector<Object> objects_;
  std::unordered_map<std::uint64_t, std::size_t> object_at_;
  std::vector<std::size_t> interesting_;  // shared objects with reads and writes; indices
  std::unordered_set<std::uint64_t> pairs_;
  std::unordered_map<std::uint64_t, std::uint64_t> more_counts_;  // of this execution: what does not fit an object's
  std::unordered_map<std::uint64_t, std::uint32_t> variants_;     // of a pair of locations: pairs of tasks seen
  std::unordered_map<std::uint64_t, std::uint32_t> tried_;        // how often a pair was asked for
  std::unordered_map<std::uint64_t, std::uint32_t> frequency_;    // executions with a signature
  std::vector<Entry> entries_;
};

}  // namespace ravel
#endif

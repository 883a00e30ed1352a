// SPDX-License-Identifier: Apache-2.0
// TestSearch: the search of ConCrash for a test that reproduces a crash (paper 001, Figure 5). A test is a prefix,
// which makes the object and brings it into some state, and two calls at the same time: the crashing method and another
// one. Prefixes are tried by length; a combination that a pruning rules out is not explored.
//
// Who calls it: reproduce(). Thread safety: none.
//
// It differs from the figure in four ways. The runs of a level's prefixes alone come first, and their extensions only
// when the level is done: the tests and their order are the same, and fewer sequences run. Constructors that leave
// equal objects count once. Of the tests with prefixes of one length, those come first whose other call changes what
// the lines of the crash stack read (distance, in prunings.h); those that fail also when the calls are made one after
// the other come last. And what a write leaves there (null, positive, negative)
// is part of the coverage: set(nullptr) and set(x) are the same code, and only one of them fails.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "driver/process/deadline.h"
#include "driver/reproduce/call.h"
#include "driver/reproduce/crash_target.h"
#include "driver/reproduce/prunings.h"
#include "driver/reproduce/ps_redundant.h"
#include "driver/reproduce/sequence_runner.h"

namespace ravel {

struct TestCandidate {
  Sequence prefix;
  std::vector<Sequence> suffixes;  // the crashing method is in the first

  std::size_t calls() const;
};

struct SearchSettings {
  std::string method;         // the crashing method, as operations call it
  std::set<Pruning> without;  // prunings that are switched off
  bool sorted = true;         // tests that change what the crash stack reads come first
  std::uint64_t seed = 1;     // of the order in which methods and values are tried
  std::size_t longest = 4;    // calls in a prefix, constructor included
  unsigned threads = 2;       // 3: also tests with two other threads
  unsigned suffix = 1;        // 2: also tests whose other thread makes two calls
  Deadline deadline;
};

struct SearchCounts {
  std::array<std::uint64_t, kPrunings> pruned{};
  std::uint64_t combinations = 0;
  std::uint64_t explored = 0;
  std::size_t prefixes = 0;
  std::size_t levels = 0;   // that were done completely
  std::size_t deepest = 0;  // places of the crash stack that were reached alone, from the crashing method on
  bool exhausted = false;   // there was nothing left to try
  // Why constructors could not be used: what became of them, each once.
  std::set<std::string> constructor_troubles;
};

class TestSearch {
 public:
  // Explores the schedules of a test; true: it reproduces the crash, and the search is over.
  using Explore = std::function<bool(const TestCandidate&)>;

  TestSearch(const ClassListing& listing, const CrashTarget& target, SequenceRunner& runner, PlaceTable& table,
             SearchSettings settings);

  // True: `explore` said so.
  bool run(const Explore& explore);
  const SearchCounts& counts() const { return counts_; }

 private:
  std::vector<Sequence> first_prefixes();
  void choose_crashing();
  bool explore_level(const std::vector<Sequence>& prefixes, unsigned from, unsigned to, const Explore& explore);
  bool explore_prefix(const Sequence& prefix, unsigned distance, const Explore& explore);
  bool explore_larger(const Sequence& prefix, const Explore& explore);
  std::vector<Call> helpful_calls(const Sequence& prefix, const CallRecord& alone);
  const Reach& reach_of(const Sequence& sequence, const CallRecord& record);
  std::optional<Pruning> reason_against(const CallRecord& alone, const CallRecord& interfering) const;
  unsigned distance_of(const Reach& reach, const CallRecord& interfering) const;
  // The crash comes also when the other call is made before: such a test needs no second thread.
  bool fails_in_sequence(const Sequence& prefix, const Call& crashing, const Call& other);
  void extend(const Sequence& prefix, std::vector<Sequence>& next);
  // Null and freed memory come first only where they could be the reason; unsorted, all tests are as far.
  unsigned nearest() const { return !settings_.sorted ? kDistances - 1 : target_.may_be_invalid_access() ? 0 : 1; }
  bool prunes(Pruning pruning) const { return !settings_.without.contains(pruning); }
  void count(Pruning pruning, std::uint64_t combinations) {
    counts_.pruned[static_cast<std::size_t>(pruning)] += combinations;
  }

  const ClassListing& listing_;
  const CrashTarget& target_;
  SequenceRunner& runner_;
  PlaceTable& table_;
  SearchSettings settings_;
  SearchCounts counts_;
  std::vector<Call> makers_;    // constructors and factories
  std::vector<Call> crashing_;  // calls of the crashing method
  std::vector<Call> all_;       // calls on the object
  std::vector<Call> others_;    // those that can interfere: all, or of a deadlock the method of the other thread
  CrashTarget other_side_;
  std::set<std::uint64_t> states_;
  CoveredPairs covered_;
  std::map<Sequence, Reach> reached_;
};

}  // namespace ravel

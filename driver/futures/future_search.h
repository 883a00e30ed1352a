// SPDX-License-Identifier: Apache-2.0
// FutureSearch: finds out what each shared read of a program can see, with as few executions as possible.
//
//  1. One execution to learn: reads, writes, which read saw which write.
//  2. For each read and each write of its variable that no execution has shown together: an order of the operations of
//     some execution seen so far in which they come together (order_search.h), which is then actually run. Whatever it
//     shows is learned too, so a program that takes another path there shows its other operations.
//  3. What is left over is impossible, or was not found. "Impossible" is said only with a proof: either every order of
//     the operations that were seen has been ruled out and only one read could see several writes, so that there are
//     no other operations; or an exhaustive search (dpor) of the whole program was completed.
//  4. Without a proof there may be paths through the program that no execution took: some random schedules, and the
//     second step again with what those have shown.
//
// Who calls it: `ravel futures`. Thread safety: as ExecutionPool: one thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "base/status.h"
#include "driver/futures/execution_pool.h"
#include "driver/futures/future_table.h"
#include "driver/futures/future_terms.h"
#include "driver/futures/order_search.h"

namespace ravel {

struct FutureOptions {
  bool occurrences = false;          // a row for each task and occurrence
  std::optional<FutureTerms> terms;  // ask only for these
  bool exhaustive = false;           // explore every schedule instead of performing executions for what was not seen
  std::uint64_t proof = 5'000;       // most executions of the exhaustive search; 0: none
  std::uint64_t random = 500;        // most random executions, if there is no proof
};

class FutureSearch {
 public:
  FutureSearch(ExecutionPool& pool, FutureOptions options) : pool_(pool), options_(std::move(options)) {}

  // The whole table; when the deadline comes, what has been shown until then.
  Result<FutureTable> explore();

  // A table of what the executions of the pool have shown, without trying anything.
  FutureTable table();

 private:
  // Which row of the table, and which definition in it. No place: the initial value.
  struct ReadKey {
    std::string place;
    std::string object;
    TaskId task = kNoTask;
    std::uint32_t occurrence = 0;
    friend bool operator==(const ReadKey&, const ReadKey&) = default;
    friend bool operator<(const ReadKey& a, const ReadKey& b) {
      return std::tie(a.place, a.object, a.task, a.occurrence) < std::tie(b.place, b.object, b.task, b.occurrence);
    }
  };
  struct Pair {
    ReadKey read;
    std::string write;
    friend bool operator<(const Pair& a, const Pair& b) {
      return std::tie(a.read, a.write) < std::tie(b.read, b.write);
    }
  };
  struct Shown {
    std::size_t execution = 0;  // index into the pool
    std::size_t event = 0;
    bool forced = false;
  };

  // A step of a task, the same in all executions that take the same path up to there. kNoTask: before the threads.
  struct StepName {
    TaskId task = kNoTask;
    std::uint32_t number = 0;
    friend bool operator<(const StepName& a, const StepName& b) {
      return std::tie(a.task, a.number) < std::tie(b.task, b.number);
    }
  };

  static StepName step_name(const ObservedExecution& seen, std::int64_t event);
  bool goes_a_known_way(std::size_t execution, std::size_t target, const std::vector<std::size_t>& order) const;
  ReadKey key_of(const ObservedExecution& seen, const ObservedEvent& read) const;
  static std::string write_key(const ObservedExecution& seen, std::int64_t write);
  void learn();
  // How long and how thoroughly to look for orders.
  struct Effort {
    std::size_t states = 0;  // of the search for one order
    ExecutionPool::Clock::time_point until;
  };
  bool is_over(const Effort& effort) const {
    return pool_.out_of_budget() || ExecutionPool::Clock::now() >= effort.until;
  }
  OrderEffort order_effort(const Effort& effort, std::size_t keeps = kNoRead) const {
    return {effort.states, keeps, pool_.deadline().before(effort.until)};
  }
  bool has_news(const PerformedExecution& performed) const;
  Result<bool> look_around(const char* strategy, std::uint64_t most, double share_of_time, std::uint64_t& made);
  std::vector<Pair> unshown() const;
  bool is_asked_for(const Pair& pair) const;
  std::vector<std::vector<ReadChoice>> occasions(const ObservedExecution& seen, const Pair& pair) const;
  Result<bool> run_for(const Pair& pair, const std::vector<std::uint64_t>& directions);
  Result<bool> try_pair(const Pair& pair, OtherReads level, const Effort& effort);
  Result<bool> try_pair_in(const Pair& pair, std::size_t execution, OtherReads level, const Effort& effort);
  Result<bool> try_older_store(const Pair& pair, std::size_t execution);
  Status search();
  Status show_what_is_left(std::size_t levels, const Effort& effort);
  bool everything_ruled_out(const Effort& effort) const;
  struct Reason {
    std::string cycle;  // empty: none
    bool everywhere = true;
  };
  Reason reason_for(const Pair& pair) const;
  std::string difference_of(std::size_t failing) const;

  ExecutionPool& pool_;
  FutureOptions options_;
  std::size_t learned_ = 0;  // executions of the pool whose reads are in the next two
  std::map<Pair, Shown> shown_;
  std::set<ReadKey> users_;  // reads that the program itself makes, or of its variables: not internals of a library
  std::set<std::pair<StepName, StepName>> sources_;                // every read that was seen, with what it saw
  std::set<std::tuple<Pair, std::size_t, OtherReads>> looked_at_;  // pairs and executions: nothing left to try
  std::map<Pair, unsigned> attempts_;
  std::uint64_t failed_attempts_ = 0;
  std::uint64_t proof_executions_ = 0;
  std::uint64_t random_executions_ = 0;
  bool proved_ = false;
  std::string proof_;
};

}  // namespace ravel

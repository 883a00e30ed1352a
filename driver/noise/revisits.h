// SPDX-License-Identifier: Apache-2.0
// Revisits: finds the code where a thread comes back to an object that another thread touches too, and nothing keeps
// the other from doing so in between: `if (c != nullptr) c->stop()`, `count = count + 1`, `if (!first) ...; first =
// true`. Noise is worth most there: what the thread saw, or left, is out of date when it continues. The idea is that of
// AtomFuzzer and CTrigger (Park and Sen 2008; Park, Lu and Zhou 2009), applied to the record of a parallel run.
//
// Who calls it: read_run_events, with the events of each thread in their order. Thread safety: none.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "base/ids.h"
#include "driver/noise/fork_join_order.h"
#include "model/operation.h"
#include "trace/free_run.h"

namespace ravel {

class Revisits {
 public:
  // An event of the record.
  void learn(TaskId task, const FreeEvent& event);

  // A lock was taken or released.
  void take(TaskId task, std::uint64_t lock);
  void give_back(TaskId task, std::uint64_t lock);

  // Threads were created and joined.
  void created(TaskId task, TaskId child) { order_.created(task, child); }
  void joined(TaskId task, TaskId child) { order_.joined(task, child); }

  void access(TaskId task, OperationKind kind, std::uint64_t object, std::uint64_t pc);

  // The second places of such pairs, ascending, without duplicates.
  std::vector<std::uint64_t> sites();

 private:
  // Visits that are further apart have little to do with each other.
  static constexpr std::uint64_t kWindow = 48;  // accesses of the thread

  struct Lock {
    std::uint64_t lock;
    std::uint64_t since;  // accesses of the thread before it was taken
  };
  struct Thread {
    std::uint64_t accesses = 0;
    std::vector<Lock> locks;
  };
  struct Pair {
    std::uint64_t site = 0;  // of the second visit
    bool wrote_first = false;
    bool writes = false;
    std::vector<std::uint64_t> locks;  // held from the first visit to the second
  };
  // What one thread did to one object, between creations and joins.
  struct Visits {
    TaskId task = kNoTask;
    std::uint32_t stretch = 0;
    bool writes = false;
    bool latest_wrote = false;
    std::uint64_t latest = 0;  // number of the access
    std::uint64_t latest_site = 0;
    std::vector<std::uint64_t> locks_of_all;     // held at every visit
    std::vector<std::uint64_t> locks_of_writes;  // held at every write
    std::vector<Pair> pairs;
  };

  static bool can_come_between(const Pair& pair, const Visits& other);
  bool may_overlap(const Visits& a, const Visits& b);

  ForkJoinOrder order_;
  std::unordered_map<TaskId, Thread> threads_;
  std::unordered_map<std::uint64_t, std::vector<Visits>> objects_;
};

}  // namespace ravel

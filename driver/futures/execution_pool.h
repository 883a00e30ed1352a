// SPDX-License-Identifier: Apache-2.0
// ExecutionPool: the executions of one search for futures. Performs them within a budget, and keeps those that show
// something, each with a schedule that replays it.
//
// Who calls it: FutureSearch, RequestSearch. Thread safety: as Target: one thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "base/status.h"
#include "driver/futures/future_runner.h"
#include "driver/target/schedule_files.h"

namespace ravel {

struct PoolOptions {
  TargetSettings target;
  std::uint64_t executions = 500;                            // most executions with directions
  std::chrono::nanoseconds time = std::chrono::seconds(60);  // the target's deadline comes no later
  std::string out = ".ravel";
  std::function<void(std::uint64_t executions)> progress;  // may be empty
};

class ExecutionPool {
 public:
  explicit ExecutionPool(PoolOptions options);

  // One execution in the order that `directions` give (strategies/directions.h). An error, too, when the deadline
  // comes.
  Result<std::size_t> run(const std::vector<std::uint64_t>& directions);
  // True when these directions have not been run before. Remembers them.
  bool are_new(const std::vector<std::uint64_t>& directions) { return ran_.insert(directions).second; }

  // Explores: executions planned by `strategy`, at most this many and for this share of the time that is left. True
  // when it has explored every schedule, false when something stopped it before. `visit` sees each of them and says
  // whether to continue.
  enum class Visit : std::uint8_t { go_on, stop };
  Result<bool> explore(const char* strategy, std::uint64_t most, double share_of_time,
                       const std::function<Visit(PerformedExecution&)>& visit);

  // Keeps an execution that explore() has shown; returns its index.
  std::size_t keep(PerformedExecution performed);
  // Does it have a finding that no kept execution has?
  bool has_new_finding(const PerformedExecution& performed) const;

  const std::vector<PerformedExecution>& kept() const { return kept_; }
  const std::string& schedule(std::size_t index) const { return schedules_[index]; }
  std::uint64_t directed() const { return made_; }
  bool out_of_budget() const;
  const Deadline& deadline() const { return options_.target.deadline; }
  using Clock = Deadline::Clock;
  // When this share of the time that is left will have passed.
  Clock::time_point after_share(double share) const;

 private:
  PoolOptions options_;
  FutureRunner runner_;
  ScheduleFiles files_;
  std::vector<PerformedExecution> kept_;
  std::vector<std::string> schedules_;  // by index into kept_; empty: it could not be written
  std::set<std::string> signatures_;    // of the findings of kept executions
  std::set<std::vector<std::uint64_t>> ran_;
  std::uint64_t made_ = 0;
};

}  // namespace ravel

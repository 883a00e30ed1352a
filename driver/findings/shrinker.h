// SPDX-License-Identifier: Apache-2.0
// shrink(): from an execution with a finding to the simplest one that shows the same finding: fewest older stores, then
// fewest preemptions, then fewest unusual answers, then fewest steps, then fewest switches, then the earliest
// decisions.
//
// How: an execution is a run without preemption that deviates at some directions (strategies/directions.h). First,
// directions are removed while the finding stays (delta debugging), so hundreds of switches become a few. That can end
// in a local minimum, so next all executions with fewer preemptions are tried, from none upwards, as far as preemptions
// at conflicting operations can show something and the budget allows. Last, the preemptions are moved to the earliest
// place. Every step is checked by a real execution.
//
// Who calls it: FindingShrinker, which performs the trials. Thread safety: one thread; no state outside.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <tuple>

#include "driver/findings/trial.h"
#include "driver/process/deadline.h"

namespace ravel {

struct ShrinkBudget {
  std::chrono::nanoseconds time = std::chrono::seconds(5);
  std::uint64_t executions = 20'000;
};

// What is minimised, the most important first.
struct ScheduleCost {
  std::uint64_t older_stores = 0;  // what happens without them is easier to follow
  std::uint64_t preemptions = 0;
  std::uint64_t unusual = 0;  // answers other than the quiet one, older stores
  std::uint64_t steps = 0;
  std::uint64_t switches = 0;
  std::uint64_t earliness = 0;  // sum of the steps at which tasks were preempted

  friend constexpr bool operator==(const ScheduleCost&, const ScheduleCost&) = default;
  friend constexpr bool operator<(const ScheduleCost& a, const ScheduleCost& b) {
    return std::tie(a.older_stores, a.preemptions, a.unusual, a.steps, a.switches, a.earliness) <
           std::tie(b.older_stores, b.preemptions, b.unusual, b.steps, b.switches, b.earliness);
  }
};

ScheduleCost cost_of(const Trial& trial);

struct Shrunk {
  Directions directions;
  Trial trial;  // the execution they lead to
  std::uint64_t executions = 0;
  bool exhausted = false;  // the search ended because the budget was used up
};

// Counts trials against a budget, which the consecutive searches for one finding share. It ends early enough before the
// deadline for what follows the searches: the result is run again a few times.
class TrialRunner {
 public:
  TrialRunner(TryDirections try_out, const ShrinkBudget& budget, const Deadline& deadline = {});

  // The trial is not performed when the budget is used up.
  Trial run(const Directions& directions);
  bool exhausted() const;
  // The directions of the latest trial that passed. After find_cause(), they lead to the other order.
  const std::optional<Directions>& latest_pass() const { return latest_pass_; }

  // From now on only this share of the whole budget may be used, 1 being all of it: a search that can take long must
  // leave something for those that follow.
  void set_share(double share) { share_ = share; }
  std::uint64_t executions() const { return executions_; }

 private:
  using Clock = Deadline::Clock;
  TryDirections try_out_;
  Deadline deadline_;
  std::uint64_t most_;
  std::uint64_t executions_ = 0;
  std::chrono::nanoseconds time_;
  Clock::time_point start_ = Clock::now();
  Clock::duration longest_{0};  // trial
  double share_ = 1;
  std::optional<Directions> latest_pass_;
  bool lost_ = false;
};

// Takes the directions and the decisions of one execution. nullopt when not even they show the finding again.
std::optional<Shrunk> shrink(TrialRunner& runner, const Directions& directions,
                             const std::vector<DecisionRun>& decisions = {});

}  // namespace ravel

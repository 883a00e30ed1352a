// SPDX-License-Identifier: Apache-2.0
// FindingShrinker: finds the simplest execution that shows a finding. It performs the executions that the shrinker asks
// for, decides which of them show the same finding (same kind, same signature), and replays the result before accepting
// it.
//
// Who calls it: Inquiry (the findings of a campaign) and Replay (`ravel shrink`, `explain`, `pin`). Thread safety: as
// RunningProgram: one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "driver/findings/cause.h"
#include "driver/findings/evidence.h"
#include "driver/findings/shrinker.h"
#include "driver/target/running_program.h"

namespace ravel {

class Inquiry;

// The finding to look for.
struct WantedFinding {
  FindingKind kind = FindingKind::user;
  std::string signature;  // empty: any of that kind
};

struct ShrunkFinding : CompleteFinding {
  ExecutionRecord record = {};                  // strictly replayed, with values in its trace
  std::optional<Cause> cause = {};              // indices into record.trace
  std::optional<ExecutionRecord> passing = {};  // the other order, with values; if one was found
  std::uint64_t executions = 0;                 // performed on the way
  std::uint64_t preemptions_before = 0;         // in the execution it was shrunk from
  bool exhausted = false;                       // the budget was used up before everything had been tried
};

class FindingShrinker {
 public:
  FindingShrinker(RunningProgram& program, Inquiry& inquiry, WantedFinding wanted, const ShrinkBudget& budget);

  // With `minimise` false it only looks for the cause. nullopt when the finding does not come back as it should: the
  // caller keeps what it has.
  std::optional<ShrunkFinding> run(const ExecutionRecord& found, bool minimise = true);

  // The finding in the execution itself, performed again with values; nullopt when it does not appear.
  std::optional<ShrunkFinding> as_it_is(const ExecutionRecord& original);

 private:
  Trial try_directions(const Directions& directions);
  std::optional<Cause> cause_in_reads(const ExecutionRecord& failing, const Directions& directions,
                                      const std::optional<Cause>& of_order, const std::optional<Cause>& of_wait);
  bool waits_for_ever() const {
    return wanted_.kind == FindingKind::deadlock || wanted_.kind == FindingKind::lost_wakeup;
  }
  std::vector<TaskId> failing_tasks(const ExecutionRecord& record);
  Trial judged(const ExecutionRecord& record);
  const FindingRecord* find_wanted(const ExecutionRecord& record);
  std::optional<ExecutionRecord> find_again(const ExecutionRecord& original, std::uint32_t sites_now);
  ExecutionRecord traced(const ExecutionRecord& found);
  std::optional<ExecutionRecord> replayed(const Trial& trial);
  std::optional<Cause> cause_in_answers(TrialRunner& runner, const Shrunk& shrunk);
  std::optional<Cause> cause_of(TrialRunner& runner, const Shrunk& shrunk, const ExecutionRecord& record);
  std::optional<ShrunkFinding> found_in(ExecutionRecord record, std::optional<Cause> cause, std::uint64_t executions,
                                        std::uint64_t preemptions_before);

  RunningProgram& program_;
  Inquiry& inquiry_;
  WantedFinding wanted_;
  ShrinkBudget budget_;
  std::uint32_t sites_ = 0;
  Plan origin_;
  std::vector<Directions> passing_;  // what was tried and passed, and what showed the finding
  std::vector<Directions> same_;
};

}  // namespace ravel

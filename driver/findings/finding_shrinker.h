// SPDX-License-Identifier: Apache-2.0
// Shrinking of a finding on a real target: makes the executions that the shrinker asks for, tells which of them show
// the same finding (same kind, same signature), and runs the result again as a strict replay before it counts.
//
// Who calls it: Worker (the findings of a campaign) and ScheduleStory (`ravel shrink`, `ravel explain`).
// Thread safety: as the executions it is given: one thread.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>

#include "driver/findings/cause.h"
#include "driver/findings/evidence.h"
#include "driver/findings/shrinker.h"
#include "driver/target/execution_record.h"
#include "reports/explanation.h"
#include "reports/finding_report.h"

namespace ravel {

// Who can make executions of the program.
class ExecutionSource {
 public:
  virtual ~ExecutionSource() = default;

  // One execution, with so many code locations known; nullopt when that is not possible (any more).
  virtual std::optional<ExecutionRecord> execute(const PlannedExecution& planned, std::uint32_t sites_known,
                                                 const WatchRequest& watch) = 0;
  // Of the target that made the latest execution.
  virtual SymbolSource& symbols() = 0;
};

// Which finding is looked for.
struct WantedFinding {
  FindingKind kind = FindingKind::user;
  std::string signature;  // empty: any of that kind
};

struct ShrunkFinding {
  ExecutionRecord record;  // strictly replayed, with values in its trace
  Evidence evidence;       // the finding in it
  ResolvedFinding finding;
  std::optional<Cause> cause;    // indices into record.trace
  std::uint64_t executions = 0;  // made on the way
  std::uint64_t preemptions_before = 0;
};

class FindingShrinker {
 public:
  FindingShrinker(ExecutionSource& source, WantedFinding wanted, const ShrinkBudget& budget);

  // `sites_now`: code locations known by now; more than at the start of `original` when it found new ones.
  // With `minimise` false only the cause is looked for. nullopt when the finding does not come back as it should: the
  // caller keeps what it has.
  std::optional<ShrunkFinding> run(const ExecutionRecord& original, std::uint32_t sites_now, bool minimise = true);

  // The finding in the execution itself, run again with values; nullopt when it is not there.
  std::optional<ShrunkFinding> as_it_is(const ExecutionRecord& original);

 private:
  Trial try_directions(const Directions& directions);
  Trial judged(const ExecutionRecord& record);
  const FindingRecord* find_wanted(const ExecutionRecord& record);
  std::string signature_of(const FindingRecord& finding, const ExecutionRecord& record);
  Evidence complete(const FindingRecord& finding, const ExecutionRecord& record);
  std::optional<ExecutionRecord> replay(const ExecutionRecord& record, TraceLevel trace, const WatchRequest& watch);
  std::optional<ExecutionRecord> find_again(const ExecutionRecord& original, std::uint32_t sites_now);
  std::optional<ShrunkFinding> confirmed(const Trial& trial, std::uint64_t executions, std::optional<Cause> cause);
  std::optional<Cause> cause_from_finding(const ExecutionRecord& record, const FindingRecord& raw) const;

  ExecutionSource& source_;
  WantedFinding wanted_;
  ShrinkBudget budget_;
  std::uint32_t sites_ = 0;
  Plan origin_;
  std::unordered_map<std::uint64_t, std::string> signatures_;  // by record_key
};

// How it came about. Source files are read from where the debug information names them.
Explanation explain_finding(const ShrunkFinding& shrunk, SymbolSource& symbols);

}  // namespace ravel

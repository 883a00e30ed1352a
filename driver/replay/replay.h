// SPDX-License-Identifier: Apache-2.0
// Replay: runs one schedule again, strictly, and says whether its finding came back or at which step the program did
// something else. Also shortens and explains the schedule's finding.
//
// Who calls it: `ravel replay`, `shrink`, `explain`, `pin`, `noise` and `futures`. Thread safety: as RunningProgram.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "driver/findings/inquiry.h"
#include "driver/target/running_program.h"
#include "model/schedule.h"

namespace ravel {

struct ReplayRun {
  std::optional<ReportedFinding> finding;  // the schedule's, if it came back
  std::vector<ReportedFinding> others;     // what else was found
  std::string divergence;                  // one sentence; empty when every step was the schedule's
  std::string internal_error;              // not empty: our own bug
  std::vector<std::string> steps;          // one line per operation
};

class Replay {
 public:
  // `settings` start the schedule's program as it was started then. `path` is the schedule's as typed: reports name it.
  Replay(Schedule schedule, const TargetSettings& settings, std::string path);

  // One sentence each: why this replay may differ (the program was rebuilt, a library changed).
  std::vector<std::string> warnings() const;

  // May be called any number of times.
  Result<ReplayRun> run(bool with_steps);

  // The simplest execution with the schedule's finding, within the budget; with `minimise` false the schedule's own.
  // nullopt when the finding did not come back.
  Result<std::optional<ShrunkFinding>> shrink(const ShrinkBudget& budget, bool minimise);

  // The latest result of shrink(), as a schedule like the original one; and explained.
  Schedule schedule_of(const ShrunkFinding& shrunk);
  Explanation explain(const ShrunkFinding& shrunk);
  // The same as reports take it, with its explanation.
  ReportedFinding report(const ShrunkFinding& shrunk);

  const std::vector<std::string>& program() const { return schedule_.program; }

  // Of the program that performed the latest execution.
  SymbolSource& symbols() { return program_.symboliser(); }

 private:
  ReportedFinding entry_of(ResolvedFinding finding, const ExecutionRecord& record) const;
  Result<ExecutionRecord> execute(const WatchRequest& watch);
  std::vector<std::string> module_paths() const;  // of the schedule, with the program's current path
  std::string find_divergence(const ExecutionRecord& record);
  std::string expected_step(std::size_t step);

  Schedule schedule_;
  std::string path_;
  bool same_build_ = true;
  RunningProgram program_;
  Inquiry inquiry_;
  std::uint32_t own_sites_ = ~std::uint32_t{0};  // of the schedule, in the program as it is now
};

}  // namespace ravel

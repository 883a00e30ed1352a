// SPDX-License-Identifier: Apache-2.0
// Replay: runs one schedule again, strictly, and tells whether its finding came back; if the program went another way,
// at which step. Used by `ravel replay`. Thread safety: as Target: one thread.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "driver/campaign/execution_record.h"
#include "driver/campaign/shrinking.h"
#include "driver/campaign/standard_input.h"
#include "driver/campaign/target.h"
#include "model/schedule.h"
#include "reports/campaign_result.h"
#include "reports/explanation.h"
#include "reports/symboliser.h"

namespace ravel {

struct ReplayOptions {
  std::string schedule_path;  // as typed; reports name it
  std::string executable;
  std::string runtime;
  std::optional<CarrierKind> carrier;  // instead of the schedule's
  std::chrono::nanoseconds timeout = std::chrono::seconds(10);
  const StandardInput* input = nullptr;
  const std::atomic<bool>* interrupted = nullptr;
};

struct ReplayRun {
  std::optional<ReportedFinding> finding;  // the schedule's, when it came back
  std::vector<ReportedFinding> others;     // what was found besides
  std::string divergence;                  // one sentence; empty when every step was the schedule's
  std::string internal_error;              // not empty: our own bug
  std::vector<std::string> steps;          // one line per operation
};

// What a strict replay runs: the schedule's decisions, and no choice of its own.
Plan strict_replay_plan(const Plan& origin);

// Writes the schedule's shared code locations, as addresses of this target, into channel.request.site; returns how
// many.
std::uint32_t load_sites(const Schedule& schedule, Channel& channel);

// The program of the schedule, as it was started then.
TargetSettings target_of(const Schedule& schedule, const ReplayOptions& options);

class Replay : private ExecutionSource {
 public:
  Replay(Schedule schedule, ReplayOptions options);

  // One sentence each: why this replay may differ (the program was rebuilt, a library changed).
  std::vector<std::string> warnings() const;

  // May be called any number of times.
  Result<ReplayRun> run(bool with_steps);

  // The shortest execution with the schedule's finding, within the budget; with `minimise` false the schedule's own.
  // Nothing when the finding did not come back.
  Result<std::optional<ShrunkFinding>> shrink(const ShrinkBudget& budget, bool minimise);

  // As a schedule like the one this started from; and in words. Of the latest result of shrink().
  Schedule schedule_of(const ShrunkFinding& shrunk);
  Explanation explain(const ShrunkFinding& shrunk);

  // Of the target that made the latest execution.
  SymbolSource& symbols() override { return symboliser_for_target(); }

 private:
  Status start();
  // One execution of the schedule, with this memory watched.
  Result<ExecutionRecord> execute(const WatchRequest& watch);
  // With the schedule's code locations, and with more_sites_ when so many are asked for.
  Result<ExecutionRecord> perform(const PlannedExecution& planned, std::uint32_t sites_wanted,
                                  const WatchRequest& watch);
  std::optional<ExecutionRecord> execute(const PlannedExecution& planned, std::uint32_t sites_known,
                                         const WatchRequest& watch) override;
  Symboliser& symboliser_for_target();
  std::string find_divergence(const ExecutionRecord& record, Symboliser& symboliser) const;
  std::string expected_step(std::size_t step, Symboliser& symboliser) const;
  ReportedFinding reported(const ExecutionRecord& record, ResolvedFinding finding) const;

  Schedule schedule_;
  ReplayOptions options_;
  bool same_build_ = true;
  std::unique_ptr<Target> target_;
  std::optional<Symboliser> symboliser_;
  std::size_t symboliser_modules_ = 0;
  std::vector<std::uint64_t> more_sites_;  // that the schedule's execution found; addresses are equal in all targets
};

}  // namespace ravel

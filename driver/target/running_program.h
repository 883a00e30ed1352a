// SPDX-License-Identifier: Apache-2.0
// RunningProgram: a program under control, for any number of executions. It starts the program when there is no process
// that can execute, tells it which code locations are scheduling points, notices which modules it loads, copies
// executions out of the channel and turns them into schedules.
//
// Who calls it: every part of the driver that runs a program under control (campaign workers, replays, findings,
// futures, noise). They say what to execute and judge the result. Thread safety: as Target: only the thread that starts
// the program may use it.
//
// Invariant: a code location has the same number in every process of the program, as long as it loads the same files.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "driver/target/execution_record.h"
#include "driver/target/loaded_modules.h"
#include "driver/target/schedule_builder.h"
#include "driver/target/site_list.h"
#include "driver/target/target.h"

namespace ravel {

class RunningProgram {
 public:
  explicit RunningProgram(TargetSettings settings);
  RunningProgram(TargetSettings settings, SiteList sites);

  const TargetSettings& settings() const { return settings_; }
  const std::string& name() const { return settings_.arguments[0]; }  // as the user typed it

  // When it comes, executions are cut and no more begin: perform() and make_ready() then return an error.
  const Deadline& deadline() const { return settings_.deadline; }
  void set_deadline(const Deadline& deadline);

  // Provides for at least this many tasks. A process that was started with fewer is replaced before its next use.
  void need_identities(std::uint32_t identities);

  // Starts the program unless it is ready. Returns forks or single when it is ready, ended or replaced when it ran to
  // its end without creating a task. Everything else is an error, including a deadline that came.
  Result<Arrival> make_ready();
  bool is_ready() const;

  // One execution with the first `sites_known` code locations. The program must be ready. The execution's results stay
  // in channel() until the next one begins.
  ExecutionEnd execute(const PlannedExecution& planned, std::uint32_t sites_known, const WatchRequest& watch = {});
  const Channel& channel() const { return target_->channel(); }
  std::vector<FindingRecord> findings(ExecutionEnd end) { return findings_of(*target_, end, settings_.timeout); }
  ExecutionRecord record(ExecutionEnd end);

  // Executions so far that took place in a process that had performed others before (docs/design/0010-explore.md). A
  // sample of them is made again in a process of its own, which has the last word: what it leaves is what callers see.
  std::uint64_t resident_executions() const { return resident_executions_; }
  // Why executions are no longer made that way, in one sentence; empty while they are.
  const std::string& residence_trouble() const { return residence_trouble_; }

  // The same in one step; starts the program if needed. A program that never creates a task counts as one execution
  // with nothing to decide (ExecutionRecord::without_tasks).
  Result<ExecutionRecord> perform(const PlannedExecution& planned, std::uint32_t sites_known,
                                  const WatchRequest& watch);
  Result<ExecutionRecord> replay(const ExecutionRecord& record, const WatchRequest& watch,
                                 TraceLevel trace = TraceLevel::operations);

  // What the last execution did that ravel::explore cannot work with: an error of the user's, not a finding.
  Status misuse(ExecutionEnd end) const;

  // One run on CarrierKind::free, in a new process. Its results are in target() afterwards.
  Result<ExecutionEnd> run_freely(const NoisePlan& plan, std::span<const std::uint64_t> sites,
                                  std::span<const std::uint8_t> weights, const Target::Look& look);
  Target& target() { return *target_; }

  // Code locations whose accesses are scheduling points. More may be added at any time between executions; sites_now()
  // is how many of them the current process has.
  SiteList& sites() { return sites_; }
  std::uint32_t sites_now();
  // Addresses that the last execution found in addition to those it was given; and adding them to sites().
  std::span<const std::uint64_t> new_sites() const { return new_sites_of(channel()); }
  void learn_new_sites();

  // What the program has loaded. The version changes whenever that does: discard anything derived from addresses then.
  const ModuleMap& modules() const { return modules_.map(); }
  Symboliser& symboliser() { return modules_.symboliser(); }
  std::uint64_t modules_version() const { return modules_version_; }

  // An execution of this program as a schedule.
  Schedule schedule_of(const ExecutionRecord& record, const ScheduleOrigin& origin);

 private:
  Status start();
  void take_modules();
  ExecutionEnd compare_with_fork(ExecutionEnd end, const PlannedExecution& planned, std::uint32_t sites_known,
                                 const WatchRequest& watch);

  TargetSettings settings_;
  std::unique_ptr<Target> target_;
  LoadedModules modules_;
  std::uint64_t modules_version_ = 0;
  SiteList sites_;
  std::uint64_t resident_executions_ = 0;
  std::uint64_t next_compared_ = 1;  // the number of the next resident execution that is made again by fork
  std::string residence_trouble_;
  std::vector<std::uint64_t> addresses_;  // of sites_ in the current process, without those in files it has not loaded
  std::size_t located_ = 0;               // how many of sites_ are in addresses_ or were left out
  std::size_t written_ = 0;               // invariant: the channel's sites begin with this many of addresses_
};

// An earlier deadline for a while: for a search that may use only some of the time.
class EarlierDeadline {
 public:
  EarlierDeadline(RunningProgram& program, const Deadline& deadline) : program_(program), before_(program.deadline()) {
    program.set_deadline(deadline);
  }
  ~EarlierDeadline() { program_.set_deadline(before_); }
  EarlierDeadline(const EarlierDeadline&) = delete;
  EarlierDeadline& operator=(const EarlierDeadline&) = delete;

 private:
  RunningProgram& program_;
  Deadline before_;
};

}  // namespace ravel

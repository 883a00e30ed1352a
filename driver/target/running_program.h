// SPDX-License-Identifier: Apache-2.0
// RunningProgram: a program under control, for as many executions as somebody wants. It starts the program when there
// is no process of it that can execute, tells it which code locations are scheduling points, notices what it has
// loaded, copies executions out of the channel and makes schedules of them.
//
// Who calls it: every part of the driver that runs a program under control (campaign workers, replays, findings,
// futures, noise). They say what to execute and judge what came of it. Thread safety: as Target: the thread that starts
// the program is the one that uses it.
//
// Invariant: code locations have the same number in every process of the program, as long as it loads the same files.
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
  bool interrupted() const;

  // At least so many tasks are provided for. A process that was started with fewer is replaced before its next use.
  void need_identities(std::uint32_t identities);

  // Starts the program unless it stands ready. The arrival is one of forks, single (it is ready), ended, replaced (it
  // ran to its end without creating a task); all else is trouble, also an interruption.
  Result<Arrival> make_ready();
  bool is_ready() const;

  // One execution with the first `sites_known` code locations. The program is ready. What the execution leaves can be
  // looked at in channel() until the next one begins.
  ExecutionEnd execute(const PlannedExecution& planned, std::uint32_t sites_known, const WatchRequest& watch = {});
  const Channel& channel() const { return target_->channel(); }
  std::vector<FindingRecord> findings(ExecutionEnd end) { return findings_of(*target_, end, settings_.timeout); }
  ExecutionRecord record(ExecutionEnd end) { return record_execution(*target_, end, settings_.timeout); }

  // The same in one step, from a process that need not be ready. A program that never creates a task is one execution
  // with nothing to decide (ExecutionRecord::without_tasks).
  Result<ExecutionRecord> perform(const PlannedExecution& planned, std::uint32_t sites_known,
                                  const WatchRequest& watch);
  Result<ExecutionRecord> replay(const ExecutionRecord& record, const WatchRequest& watch,
                                 TraceLevel trace = TraceLevel::operations);

  // One run on CarrierKind::free, in a new process. What the run left can be looked at in target() afterwards.
  Result<ExecutionEnd> run_freely(const NoisePlan& plan, std::span<const std::uint64_t> sites,
                                  std::span<const std::uint8_t> weights, const Target::Look& look);
  Target& target() { return *target_; }

  // Code locations whose accesses are scheduling points. New ones may be added at any time between executions;
  // sites_now() is how many of them the present process has.
  SiteList& sites() { return sites_; }
  std::uint32_t sites_now();
  // Addresses that the last execution found, beyond those it was told; and adding them.
  std::span<const std::uint64_t> new_sites() const { return new_sites_of(channel()); }
  void learn_new_sites();

  // What the program has loaded. The version changes with it: keep nothing that was derived from addresses beyond that.
  const ModuleMap& modules() const { return modules_.map(); }
  Symboliser& symboliser() { return modules_.symboliser(); }
  std::uint64_t modules_version() const { return modules_version_; }

  // An execution of this program as a schedule.
  Schedule schedule_of(const ExecutionRecord& record, const ScheduleOrigin& origin);

 private:
  Status start();
  void take_modules();

  TargetSettings settings_;
  std::unique_ptr<Target> target_;
  LoadedModules modules_;
  std::uint64_t modules_version_ = 0;
  SiteList sites_;
  std::vector<std::uint64_t> addresses_;  // of sites_ in the present process; those it has not loaded are left out
  std::size_t located_ = 0;               // of sites_, in addresses_ or left out
  std::size_t written_ = 0;               // invariant: the channel's sites begin with so many of addresses_
};

}  // namespace ravel

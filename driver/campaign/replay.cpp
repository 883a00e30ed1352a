// SPDX-License-Identifier: Apache-2.0
#include "driver/campaign/replay.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include <fmt/format.h>

#include "driver/campaign/determinism_check.h"
#include "driver/campaign/evidence.h"
#include "driver/campaign/module_map.h"
#include "driver/campaign/schedule_builder.h"
#include "reports/finding_report.h"

namespace ravel {
namespace {

std::vector<std::string> paths_of(const Schedule& schedule) {
  std::vector<std::string> paths;
  for (const ScheduleModule& module : schedule.modules) paths.push_back(module.path);
  return paths;
}

const char* reason_text(std::uint32_t reason) {
  switch (static_cast<DivergenceReason>(reason)) {
    case DivergenceReason::none:
      break;
    case DivergenceReason::task_not_enabled:
      return "that task cannot go on there";
    case DivergenceReason::no_such_task:
      return "that task does not exist there";
    case DivergenceReason::decision_kind_differs:
      return "the program asks for another kind of decision there";
    case DivergenceReason::choice_out_of_range:
      return "the program does not offer that choice there";
  }
  return "the program went another way";
}

// "12-deadlock.ravel" was finding 12 of its campaign; a file of another name is simply the first.
std::uint32_t id_from(const std::string& path) {
  const std::string name = std::filesystem::path(path).filename().string();
  std::uint32_t id = 0;
  for (std::size_t i = 0; i < name.size() && i < 9 && std::isdigit(static_cast<unsigned char>(name[i])) != 0; ++i) {
    id = id * 10 + static_cast<std::uint32_t>(name[i] - '0');
  }
  return id == 0 ? 1 : id;
}

}  // namespace

Plan strict_replay_plan(const Plan& origin) {
  Plan plan;
  plan.spin_power = origin.spin_power;  // it decides who is enabled, so it is part of what the decisions fit
  plan.exhaustive = origin.exhaustive;  // likewise
  plan.short_sleeps = origin.short_sleeps;
  plan.strategy = StrategyKind::sequential;
  plan.prefix_policy = PrefixPolicy::strict;
  plan.trace = TraceLevel::operations;
  return plan;
}

std::uint32_t load_sites(const Schedule& schedule, Channel& channel) {
  if (schedule.modules.empty()) return 0;
  const ModuleMap map(schedule.modules[0].path, modules_of(channel));
  const std::vector<std::string> paths = paths_of(schedule);
  std::uint32_t known = 0;
  for (const CodeLocation& site : schedule.sites) {
    const auto pc = map.address(site, paths);
    if (pc && known < kMaxSites) channel.request.site[known++] = *pc;
  }
  return known;
}

Replay::Replay(Schedule schedule, ReplayOptions options)
    : schedule_(std::move(schedule)), options_(std::move(options)) {
  if (!schedule_.modules.empty()) same_build_ = schedule_.modules[0].build_id == build_id_of(options_.executable);
}

std::vector<std::string> Replay::warnings() const {
  std::vector<std::string> warnings;
  if (!same_build_) {
    warnings.push_back(
        fmt::format("{} was rebuilt since the schedule was made; the replay may differ", schedule_.program[0]));
  }
  for (std::size_t i = 1; i < schedule_.modules.size(); ++i) {
    const ScheduleModule& module = schedule_.modules[i];
    if (module.path == kNoModule || module.build_id == build_id_of(module.path)) continue;
    warnings.push_back(fmt::format("{} changed since the schedule was made; the replay may differ", module.path));
  }
  return warnings;
}

TargetSettings target_of(const Schedule& schedule, const ReplayOptions& options) {
  TargetSettings settings;
  settings.executable = options.executable;
  settings.arguments = schedule.program;
  settings.runtime = options.runtime;
  settings.launch = schedule.launch;
  if (options.carrier) settings.launch.carrier = *options.carrier;
  settings.timeout = options.timeout;
  settings.input = options.input;
  settings.interrupted = options.interrupted;
  return settings;
}

Status Replay::start() {
  auto started = Target::start(target_of(schedule_, options_));
  if (!started.is_ok()) return started.status();
  target_ = std::move(started.value());
  symboliser_.reset();
  return Status::ok();
}

Result<ExecutionRecord> Replay::execute(const WatchRequest& watch) {
  return perform({strict_replay_plan(schedule_.plan), schedule_.decisions}, 0, watch);
}

std::optional<ExecutionRecord> Replay::execute(const PlannedExecution& planned, std::uint32_t sites_known,
                                               const WatchRequest& watch) {
  Result<ExecutionRecord> record = perform(planned, sites_known, watch);
  if (!record.is_ok()) return std::nullopt;
  return std::move(record.value());
}

Result<ExecutionRecord> Replay::perform(const PlannedExecution& planned, std::uint32_t sites_wanted,
                                        const WatchRequest& watch) {
  if (target_ == nullptr || !target_->can_execute()) {
    if (Status status = start(); !status.is_ok()) return status;
    switch (target_->wait_for_arrival()) {
      case Arrival::forks:
      case Arrival::single:
        break;
      case Arrival::ended:
      case Arrival::replaced: {
        ExecutionRecord record = record_execution(*target_, ExecutionEnd::ended, options_.timeout);
        record.summary.tasks = std::max(record.summary.tasks, 1U);
        return record;
      }
      case Arrival::too_slow:
        return Status::trouble(
            fmt::format("{} did not create a thread within {}", schedule_.program[0], duration_text(options_.timeout)),
            "allow more time: --timeout 60s");
      case Arrival::interrupted:
        return Status::trouble("interrupted", "");
    }
  }
  std::uint32_t sites_known = load_sites(schedule_, target_->channel());
  for (const std::uint64_t site : more_sites_) {
    if (sites_known < sites_wanted && sites_known < kMaxSites) target_->channel().request.site[sites_known++] = site;
  }
  const ExecutionEnd end = target_->execute(planned, sites_known, watch);
  if (end == ExecutionEnd::interrupted) return Status::trouble("interrupted", "");
  if (end == ExecutionEnd::target_lost) {
    return Status::trouble(fmt::format("the process of {} died outside the execution", schedule_.program[0]),
                           "check whether it runs without Ravel");
  }
  return record_execution(*target_, end, options_.timeout);
}

Result<ReplayRun> Replay::run(bool with_steps) {
  WatchRequest names;
  names.creations = 1;
  Result<ExecutionRecord> first = execute(names);
  if (!first.is_ok()) return first.status();
  const ExecutionRecord* record = &first.value();
  std::vector<Evidence> findings;
  for (const FindingRecord& finding : record->findings) {
    findings.push_back({finding, {}});
    if (!is_half_known(finding)) {
      if (wants_evidence(finding)) findings.back().creations = record->creations;
      continue;
    }
    const auto repeat = [this](const WatchRequest& watch) -> std::optional<ExecutionRecord> {
      Result<ExecutionRecord> again = execute(watch);
      if (!again.is_ok()) return std::nullopt;
      return std::move(again.value());
    };
    if (std::optional<Evidence> full = with_evidence(finding, repeat)) findings.back() = std::move(*full);
  }

  Symboliser& symboliser = symboliser_for_target();
  ReplayRun result;
  result.internal_error = record->internal_error;
  result.divergence = find_divergence(*record, symboliser);
  for (const Evidence& evidence : findings) {
    ResolvedFinding resolved =
        resolve_finding(evidence.finding, record->tasks, symboliser, record->weak_reads, evidence.creations);
    const bool is_it = !result.finding && schedule_.finding == resolved.kind &&
                       (schedule_.finding_id.empty() || schedule_.finding_id == resolved.signature || !same_build_);
    const bool same = is_it && (schedule_.finding_id.empty() || schedule_.finding_id == resolved.signature);
    ReportedFinding entry = reported(*record, std::move(resolved));
    entry.replayed = same;
    if (is_it) {
      result.finding = std::move(entry);
    } else {
      result.others.push_back(std::move(entry));
    }
  }
  if (with_steps) {
    result.steps.reserve(record->trace.size());
    for (std::size_t i = 0; i < record->trace.size(); ++i) {
      const Operation& operation = record->trace[i].operation;
      const DataName& object = symboliser.data(operation.object);
      result.steps.push_back(fmt::format("{:>7}  {}{}{}", i + 1, step_text(operation, symboliser),
                                         object.known() ? "  " : "", object.known() ? object.text() : ""));
    }
  }
  return result;
}

Result<std::optional<ShrunkFinding>> Replay::shrink(const ShrinkBudget& budget, bool minimise) {
  Result<ExecutionRecord> first = execute(WatchRequest{});
  if (!first.is_ok()) return first.status();
  const ExecutionRecord& record = first.value();
  if (!schedule_.finding) return std::optional<ShrunkFinding>();
  if (const auto learned = new_sites_of(target_->channel()); !learned.empty()) {
    more_sites_.assign(learned.begin(), learned.end());
  }
  const WantedFinding wanted{*schedule_.finding, same_build_ ? schedule_.finding_id : std::string()};
  FindingShrinker shrinker(*this, wanted, budget);
  const bool can = !record.trace.empty() && record.end == ExecutionEnd::ended && record.summary.external == 0;
  std::optional<ShrunkFinding> result;
  const auto sites_now = static_cast<std::uint32_t>(record.sites_known + more_sites_.size());
  if (can) result = shrinker.run(record, sites_now, minimise);
  if (!result) result = shrinker.as_it_is(record);
  return result;
}

Schedule Replay::schedule_of(const ShrunkFinding& shrunk) {
  const Channel& channel = target_->channel();
  const ModuleMap modules(options_.executable, modules_of(channel));
  ScheduleOrigin origin;
  origin.program = schedule_.program;
  origin.executable = options_.executable;
  origin.campaign_strategy = schedule_.campaign_strategy;
  origin.campaign_seed = schedule_.campaign_seed;
  origin.execution = schedule_.execution;
  origin.launch = schedule_.launch;
  origin.plan = schedule_.plan;
  const auto sites = valid_part(channel.request.site, shrunk.record.sites_known);
  Schedule schedule = build_schedule(origin, shrunk.record, sites, modules);
  schedule.directory = schedule_.directory;
  schedule.finding = shrunk.finding.kind;
  schedule.finding_message = shrunk.finding.message;
  schedule.finding_id = shrunk.finding.signature;
  return schedule;
}

Explanation Replay::explain(const ShrunkFinding& shrunk) { return explain_finding(shrunk, symboliser_for_target()); }

// Kept from run to run: reading debug information takes longer than an execution.
Symboliser& Replay::symboliser_for_target() {
  const std::size_t modules = target_->channel().launch.modules;
  if (!symboliser_ || modules != symboliser_modules_) {
    symboliser_.emplace(options_.executable, modules_of(target_->channel()));
    symboliser_modules_ = modules;
  }
  return *symboliser_;
}

ReportedFinding Replay::reported(const ExecutionRecord& record, ResolvedFinding finding) const {
  ReportedFinding entry;
  entry.id = id_from(options_.schedule_path);
  entry.finding = std::move(finding);
  entry.first_execution = schedule_.execution + 1;
  entry.count = 1;
  entry.schedule_path = options_.schedule_path;
  entry.preemptions = record.summary.preemptions;
  entry.tasks = record.summary.tasks;
  entry.output = record.output;
  entry.output_truncated = record.output_truncated;
  entry.best_effort = (record.summary.external & kExternalWait) != 0;
  return entry;
}

std::string Replay::expected_step(std::size_t step, Symboliser& symboliser) const {
  if (step >= schedule_.operations.size()) return "nothing (the execution had ended)";
  const ScheduleStep& expected = schedule_.operations[step];
  const ModuleMap map(schedule_.modules[0].path, modules_of(target_->channel()));
  Operation operation;
  operation.task = expected.task;
  operation.kind = expected.kind;
  operation.pc = map.address(expected.where, paths_of(schedule_)).value_or(0);
  // After a rebuild the old addresses point anywhere: better no place than a wrong one.
  if (!same_build_) return fmt::format("{} {}", task_text(expected.task), operation_name(expected.kind));
  return step_text(operation, symboliser);
}

std::string Replay::find_divergence(const ExecutionRecord& record, Symboliser& symboliser) const {
  const std::vector<ScheduleStep>& expected = schedule_.operations;
  const bool stopped_fitting = record.summary.outcome == Outcome::diverged;
  if (expected.empty() && !stopped_fitting) return {};
  ModuleNames names(schedule_.modules.empty() ? options_.executable : schedule_.modules[0].path);
  for (const std::string& path : paths_of(schedule_)) names.index_of(path);
  const ModuleMap map(names.paths()[0], modules_of(target_->channel()));

  const std::size_t common = std::min(expected.size(), record.trace.size());
  std::size_t step = 0;
  while (step < common) {
    const Operation& came = record.trace[step].operation;
    const bool same = came.task == expected[step].task && came.kind == expected[step].kind &&
                      (!same_build_ || map.location(came.pc, names) == expected[step].where);
    if (!same) break;
    ++step;
  }
  // A loop that had to be stopped gets a little further or less far each time; up to there it must be the same.
  const bool same_length = schedule_.finding == FindingKind::timeout || expected.size() == record.trace.size();
  const bool differs = step < common || (!expected.empty() && !same_length);
  if (!differs && !stopped_fitting) return {};
  if (step < record.trace.size() && !expected.empty()) {
    return fmt::format("the replay diverged at step {}: the schedule has {}, the program did {}", step + 1,
                       expected_step(step, symboliser), step_text(record.trace[step].operation, symboliser));
  }
  if (stopped_fitting) {
    return fmt::format("the replay diverged at step {}: the schedule has {}, but {}",
                       record.summary.divergence.step + 1,
                       expected.empty() ? task_text(record.summary.divergence.expected_task)
                                        : expected_step(record.summary.divergence.step, symboliser),
                       reason_text(record.summary.divergence.reason));
  }
  return fmt::format("the replay diverged at step {}: the schedule has {}, the program had ended", step + 1,
                     expected_step(step, symboliser));
}

}  // namespace ravel

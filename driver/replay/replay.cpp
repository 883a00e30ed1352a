// SPDX-License-Identifier: Apache-2.0
#include "driver/replay/replay.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include <fmt/format.h>

#include "driver/findings/evidence.h"
#include "driver/findings/explain_finding.h"
#include "driver/target/execution_difference.h"
#include "elf/elf_file.h"

namespace ravel {
namespace {

const char* reason_text(std::uint32_t reason) {
  switch (static_cast<DivergenceReason>(reason)) {
    case DivergenceReason::none:
      break;
    case DivergenceReason::task_not_enabled:
      return "that task cannot continue there";
    case DivergenceReason::no_such_task:
      return "that task does not exist there";
    case DivergenceReason::decision_kind_differs:
      return "the program asks for another kind of decision there";
    case DivergenceReason::choice_out_of_range:
      return "the program does not offer that choice there";
  }
  return "the program took another path";
}

// "12-deadlock.ravel" was finding 12 of its campaign; a file with any other name is finding 1.
std::uint32_t id_from(const std::string& path) {
  const std::string name = std::filesystem::path(path).filename().string();
  std::uint32_t id = 0;
  for (std::size_t i = 0; i < name.size() && i < 9 && std::isdigit(static_cast<unsigned char>(name[i])) != 0; ++i) {
    id = id * 10 + static_cast<std::uint32_t>(name[i] - '0');
  }
  return id == 0 ? 1 : id;
}

}  // namespace

Replay::Replay(Schedule schedule, const TargetSettings& settings, std::string path)
    : schedule_(std::move(schedule)),
      path_(std::move(path)),
      program_(settings, SiteList(settings.executable, schedule_)),
      inquiry_(program_) {
  if (!schedule_.modules.empty()) same_build_ = schedule_.modules[0].build_id == build_id_of(settings.executable);
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

Result<ExecutionRecord> Replay::execute(const WatchRequest& watch) {
  auto record = program_.perform({strict_replay_plan(schedule_.plan), schedule_.decisions}, own_sites_, watch);
  if (record.is_ok()) own_sites_ = record.value().sites_known;
  return record;
}

Result<ReplayRun> Replay::run(bool with_steps) {
  WatchRequest names;
  names.creations = 1;
  const Result<ExecutionRecord> executed = execute(names);
  if (!executed.is_ok()) return executed.status();
  const ExecutionRecord& record = executed.value();
  ReplayRun result;
  result.internal_error = record.internal_error;
  for (const FindingRecord& finding : record.findings) {
    ResolvedFinding words = inquiry_.complete(finding, record).finding;
    const bool same = schedule_.finding_id.empty() || schedule_.finding_id == words.signature;
    const bool is_it = !result.finding && schedule_.finding == words.kind && (same || !same_build_);
    ReportedFinding entry = entry_of(std::move(words), record);
    entry.replayed = is_it && same;
    if (is_it) {
      result.finding = std::move(entry);
    } else {
      result.others.push_back(std::move(entry));
    }
  }
  result.divergence = find_divergence(record);
  if (with_steps) {
    result.steps.reserve(record.trace.size());
    for (std::size_t i = 0; i < record.trace.size(); ++i) {
      const Operation& operation = record.trace[i].operation;
      const DataName& object = program_.symboliser().data(operation.object);
      result.steps.push_back(fmt::format("{:>7}  {}{}{}", i + 1, step_text(operation, program_.symboliser()),
                                         object.known() ? "  " : "", object.known() ? object.text() : ""));
    }
  }
  return result;
}

Result<std::optional<ShrunkFinding>> Replay::shrink(const ShrinkBudget& budget, bool minimise) {
  const Result<ExecutionRecord> executed = execute({});
  if (!executed.is_ok()) return executed.status();
  const ExecutionRecord& record = executed.value();
  if (!schedule_.finding) return std::optional<ShrunkFinding>();
  program_.learn_new_sites();
  FindingShrinker shrinker(program_, inquiry_, {*schedule_.finding, same_build_ ? schedule_.finding_id : std::string()},
                           budget);
  const bool can = !record.trace.empty() && record.end == ExecutionEnd::ended && record.summary.external == 0;
  std::optional<ShrunkFinding> result;
  if (can) result = shrinker.run(record, minimise);
  if (!result) result = shrinker.as_it_is(record);
  return result;
}

Schedule Replay::schedule_of(const ShrunkFinding& shrunk) {
  Schedule schedule = program_.schedule_of(
      shrunk.record, {schedule_.campaign_strategy, schedule_.campaign_seed, schedule_.execution, schedule_.plan});
  schedule.directory = schedule_.directory;
  set_finding(schedule, shrunk.finding);
  return schedule;
}

Explanation Replay::explain(const ShrunkFinding& shrunk) { return explain_finding(shrunk, program_.symboliser()); }

ReportedFinding Replay::report(const ShrunkFinding& shrunk) {
  ReportedFinding entry = entry_of(shrunk.finding, shrunk.record);
  entry.replayed = schedule_.finding_id.empty() || schedule_.finding_id == shrunk.finding.signature;
  entry.explanation = explain(shrunk);
  return entry;
}

// A finding of this schedule.
ReportedFinding Replay::entry_of(ResolvedFinding finding, const ExecutionRecord& record) const {
  ReportedFinding entry = reported(std::move(finding), record);
  entry.id = id_from(path_);
  entry.first_execution = schedule_.execution + 1;
  entry.schedule_path = path_;
  return entry;
}

std::vector<std::string> Replay::module_paths() const {
  std::vector<std::string> paths;
  for (const ScheduleModule& module : schedule_.modules) paths.push_back(module.path);
  if (!paths.empty()) paths[0] = program_.settings().executable;
  return paths;
}

std::string Replay::expected_step(std::size_t step) {
  if (step >= schedule_.operations.size()) return "nothing (the execution had ended)";
  const ScheduleStep& expected = schedule_.operations[step];
  Operation operation;
  operation.task = expected.task;
  operation.kind = expected.kind;
  operation.pc = program_.modules().address(expected.where, module_paths()).value_or(0);
  // After a rebuild the old addresses are meaningless: better no place than a wrong one.
  if (!same_build_) return fmt::format("{} {}", task_text(expected.task), operation_name(expected.kind));
  return step_text(operation, program_.symboliser());
}

std::string Replay::find_divergence(const ExecutionRecord& record) {
  const std::vector<ScheduleStep>& expected = schedule_.operations;
  const bool stopped_fitting = record.summary.outcome == Outcome::diverged;
  if (expected.empty() && !stopped_fitting) return {};
  Symboliser& symboliser = program_.symboliser();
  ModuleNames names(program_.settings().executable);
  for (const std::string& path : module_paths()) names.index_of(path);

  const std::size_t common = std::min(expected.size(), record.trace.size());
  std::size_t step = 0;
  while (step < common) {
    const Operation& came = record.trace[step].operation;
    const bool same = came.task == expected[step].task && came.kind == expected[step].kind &&
                      (!same_build_ || program_.modules().location(came.pc, names) == expected[step].where);
    if (!same) break;
    ++step;
  }
  // A loop that had to be stopped gets a little further or less far each time; until then it must be the same.
  const bool same_length = schedule_.finding == FindingKind::timeout || expected.size() == record.trace.size();
  const bool differs = step < common || (!expected.empty() && !same_length);
  if (!differs && !stopped_fitting) return {};
  if (step < record.trace.size() && !expected.empty()) {
    return fmt::format("the replay diverged at step {}: the schedule has {}, the program did {}", step + 1,
                       expected_step(step), step_text(record.trace[step].operation, symboliser));
  }
  if (stopped_fitting) {
    return fmt::format("the replay diverged at step {}: the schedule has {}, but {}",
                       record.summary.divergence.step + 1,
                       expected.empty() ? task_text(record.summary.divergence.expected_task)
                                        : expected_step(record.summary.divergence.step),
                       reason_text(record.summary.divergence.reason));
  }
  return fmt::format("the replay diverged at step {}: the schedule has {}, the program had ended", step + 1,
                     expected_step(step));
}

}  // namespace ravel

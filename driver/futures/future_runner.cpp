// SPDX-License-Identifier: Apache-2.0
#include "driver/futures/future_runner.h"

#include <utility>

#include <fmt/format.h>

#include "driver/campaign/module_map.h"
#include "driver/campaign/schedule_builder.h"
#include "trace/schedule_writer.h"

namespace ravel {

FutureRunner::FutureRunner(TargetSettings target) : settings_(std::move(target)) {
  settings_.launch.points = PointLevel::all;
}

Status FutureRunner::ensure_target() {
  if (target_ != nullptr && target_->can_execute()) return Status::ok();
  auto started = Target::start(settings_);
  if (!started.is_ok()) return started.status();
  target_ = std::move(started.value());
  observer_.reset();
  symboliser_.reset();
  switch (target_->wait_for_arrival()) {
    case Arrival::forks:
    case Arrival::single:
      return Status::ok();
    case Arrival::ended:
    case Arrival::replaced:
      return Status::trouble(fmt::format("{} ended without creating a thread", settings_.arguments[0]),
                             "futures are about what threads see of each other");
    case Arrival::too_slow:
      return Status::trouble(
          fmt::format("{} did not create a thread within {}", settings_.arguments[0], duration_text(settings_.timeout)),
          "allow more time: --timeout 60s");
    case Arrival::interrupted:
      break;
  }
  return Status::trouble("interrupted", "");
}

Result<PerformedExecution> FutureRunner::perform(const std::vector<std::uint64_t>& directions) {
  PlannedExecution planned;
  planned.plan.strategy = StrategyKind::sequential;
  planned.plan.exhaustive = 1;
  planned.details = directions;
  return perform(std::move(planned));
}

Result<PerformedExecution> FutureRunner::perform(PlannedExecution planned) {
  if (Status status = ensure_target(); !status.is_ok()) return status;
  planned.plan.trace = TraceLevel::values;
  planned.plan.short_sleeps = 1;
  WatchRequest names;
  names.creations = 1;
  const ExecutionEnd end = target_->execute(planned, 0, names);
  if (end == ExecutionEnd::interrupted) return Status::trouble("interrupted", "");
  if (end == ExecutionEnd::target_lost) {
    return Status::trouble(fmt::format("the process of {} died outside the execution", settings_.arguments[0]),
                           "check whether it runs without Ravel");
  }
  ++executions_;
  PerformedExecution performed;
  performed.record = record_execution(*target_, end, settings_.timeout);
  performed.record.plan = planned.plan;
  symboliser();  // of the modules that there are now
  performed.seen = observer_->observe(performed.record);
  for (const FindingRecord& finding : performed.record.findings) {
    performed.findings.push_back(resolve_finding(finding, performed.record.tasks, symboliser(),
                                                 performed.record.weak_reads, performed.record.creations));
  }
  return performed;
}

Symboliser& FutureRunner::symboliser() {
  const std::size_t modules = target_->channel().launch.modules;
  if (!symboliser_ || modules != symboliser_modules_) {
    observer_.reset();
    symboliser_.emplace(settings_.executable, modules_of(target_->channel()));
    observer_.emplace(*symboliser_);
    symboliser_modules_ = modules;
  }
  return *symboliser_;
}

Status FutureRunner::save(const PerformedExecution& performed, std::uint64_t execution, const std::string& path) {
  const Channel& channel = target_->channel();
  const ModuleMap modules(settings_.executable, modules_of(channel));
  ScheduleOrigin origin;
  origin.program = settings_.arguments;
  origin.executable = settings_.executable;
  origin.campaign_strategy = strategy_name(performed.record.plan.strategy);
  origin.execution = execution;
  origin.launch = target_->launch();
  origin.plan = performed.record.plan;
  Schedule schedule = build_schedule(origin, performed.record, {}, modules);
  if (!performed.findings.empty()) {
    schedule.finding = performed.findings[0].kind;
    schedule.finding_message = performed.findings[0].message;
    schedule.finding_id = performed.findings[0].signature;
  }
  return write_schedule(schedule, path);
}

}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
#include "driver/futures/future_runner.h"

#include <utility>

#include <fmt/format.h>

#include "driver/findings/inquiry.h"

namespace ravel {
namespace {

TargetSettings with_all_points(TargetSettings settings) {
  settings.launch.points = PointLevel::all;
  return settings;
}

}  // namespace

FutureRunner::FutureRunner(TargetSettings target) : program_(with_all_points(std::move(target))) {}

Result<PerformedExecution> FutureRunner::perform(const std::vector<std::uint64_t>& directions) {
  PlannedExecution planned;
  planned.plan.strategy = StrategyKind::sequential;
  planned.plan.exhaustive = 1;
  planned.details = directions;
  return perform(std::move(planned));
}

Result<PerformedExecution> FutureRunner::perform(PlannedExecution planned) {
  planned.plan.trace = TraceLevel::values;
  planned.plan.short_sleeps = 1;
  WatchRequest names;
  names.creations = 1;
  auto record = program_.perform(planned, 0, names);
  if (!record.is_ok()) return record.status();
  if (record.value().without_tasks) {
    return Status::trouble(fmt::format("{} ended without creating a thread", program_.name()),
                           "futures are about what threads see of each other");
  }
  ++executions_;
  PerformedExecution performed;
  performed.record = std::move(record.value());
  performed.record.plan = planned.plan;
  if (!observer_ || modules_version_ != program_.modules_version()) {
    modules_version_ = program_.modules_version();
    observer_.emplace(program_.symboliser());
  }
  performed.seen = observer_->observe(performed.record);
  for (const FindingRecord& finding : performed.record.findings) {
    performed.findings.push_back(resolve_finding(finding, performed.record.tasks, program_.symboliser(),
                                                 performed.record.weak_reads, performed.record.creations));
  }
  return performed;
}

Schedule FutureRunner::schedule_of(const PerformedExecution& performed, std::uint64_t execution) {
  const Plan& plan = performed.record.plan;
  Schedule schedule = program_.schedule_of(performed.record, {strategy_name(plan.strategy), 1, execution, plan});
  if (!performed.findings.empty()) set_finding(schedule, performed.findings[0]);
  return schedule;
}

}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
#include "driver/target/schedule_builder.h"

#include <cstdlib>
#include <filesystem>

#include "elf/elf_file.h"
#include "reports/campaign_result.h"
#include "reports/symboliser.h"
#include "trace/schedule_hash.h"

namespace ravel {

Schedule build_schedule(const TargetSettings& program, const LaunchOptions& launch, const ScheduleOrigin& origin,
                        const ExecutionRecord& record, std::span<const std::uint64_t> sites, const ModuleMap& modules) {
  Schedule schedule;
  schedule.ravel_version = kRavelVersion;
  schedule.program = program.arguments;
  std::error_code error;
  schedule.directory = std::filesystem::current_path(error).string();
  if (const char* const test = std::getenv(kRaceTestVariable)) schedule.race_test = test;
  schedule.ok_exits = program.ok_exits;
  schedule.campaign_strategy = origin.campaign_strategy;
  schedule.campaign_seed = origin.campaign_seed;
  schedule.execution = origin.execution;
  schedule.launch = launch;
  schedule.plan = origin.plan;
  schedule.plan.trace = TraceLevel::none;
  schedule.steps = record.summary.steps;
  schedule.decisions = record.decisions;

  ModuleNames names(program.executable);
  schedule.sites.reserve(sites.size());
  for (const std::uint64_t pc : sites) schedule.sites.push_back(modules.location(pc, names));
  if (record.summary.trace_full == 0) {
    schedule.operations.reserve(record.trace.size());
    for (const TraceEvent& event : record.trace) {
      const Operation& operation = event.operation;
      schedule.operations.push_back({operation.task, operation.kind, modules.location(operation.pc, names)});
    }
  }
  for (const std::string& path : names.paths()) schedule.modules.push_back({path, build_id_of(path)});
  schedule.operation_hash = hash_operations(schedule.operations, schedule.modules);
  return schedule;
}

Plan strict_replay_plan(const Plan& origin) {
  Plan plan;
  plan.spin_power = origin.spin_power;  // it decides which tasks are enabled, so the decisions depend on it
  plan.exhaustive = origin.exhaustive;  // likewise
  plan.short_sleeps = origin.short_sleeps;
  plan.strategy = StrategyKind::sequential;
  plan.trace = TraceLevel::operations;
  return plan;
}

}  // namespace ravel

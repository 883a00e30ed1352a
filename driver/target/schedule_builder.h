// SPDX-License-Identifier: Apache-2.0
// Builds a Schedule from an execution: addresses become places in files, so that it fits any later target.
// RunningProgram calls it. Reads build ids from the modules' files and the race test's name from the environment.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "driver/target/execution_record.h"
#include "driver/target/module_map.h"
#include "model/schedule.h"

namespace ravel {

// Names the current race test to the code that weaving put into the program (include/ravel/sync.h).
inline constexpr const char* kRaceTestVariable = "RAVEL_RACE_TEST";

// Where an execution came from.
struct ScheduleOrigin {
  std::string campaign_strategy;
  std::uint64_t campaign_seed = 1;
  std::uint64_t execution = 0;
  Plan plan;
};

// `program` was started with `launch`. `sites` are the code locations (addresses) that were scheduling points at the
// start. record.trace may be empty: the schedule then replays, but cannot say at which operation a replay diverged.
Schedule build_schedule(const TargetSettings& program, const LaunchOptions& launch, const ScheduleOrigin& origin,
                        const ExecutionRecord& record, std::span<const std::uint64_t> sites, const ModuleMap& modules);

// The plan of a strict replay: follows the schedule's decisions and makes none of its own.
Plan strict_replay_plan(const Plan& origin);

}  // namespace ravel

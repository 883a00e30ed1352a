// SPDX-License-Identifier: Apache-2.0
// Schedule: one execution written down, complete enough to run it again. Driver-side only (it allocates).
// docs/formats/schedule.md describes the text form; trace/schedule_reader and schedule_writer read and write it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/decision.h"
#include "model/finding.h"
#include "model/launch.h"
#include "model/operation.h"
#include "model/plan.h"

namespace ravel {

// Code that is in no file (generated at run time); the offset is then its address.
inline constexpr std::uint32_t kUnknownModule = 0xffffffffU;

// A place in code, independent of where modules are loaded.
struct CodeLocation {
  std::uint32_t module = 0;  // index into Schedule::modules
  std::uint64_t offset = 0;  // link-time address: pc minus the module's load bias

  friend bool operator==(const CodeLocation&, const CodeLocation&) = default;
};

struct ScheduleModule {
  std::string path;
  std::string build_id;  // hex; empty when the file has none
};

// One performed operation, as replay compares it.
struct ScheduleStep {
  TaskId task = 0;
  OperationKind kind = OperationKind::read;
  CodeLocation where;

  friend bool operator==(const ScheduleStep&, const ScheduleStep&) = default;
};

struct Schedule {
  std::string ravel_version;
  std::vector<std::string> program;  // command line; program[0] as the user typed it
  std::string directory;             // where it was started
  std::string race_test;             // whose actions were performed (RAVEL_RACE_TEST); empty: none
  std::vector<int> ok_exits;         // exit codes that are no failure, besides 0 (--ok-exit)
  std::string campaign_strategy;     // what --strategy said, e.g. "auto"
  std::uint64_t campaign_seed = 1;
  std::uint64_t execution = 0;  // index within the campaign
  LaunchOptions launch;
  Plan plan;  // where the decisions came from; prefix fields are not kept
  std::optional<FindingKind> finding;
  std::string finding_message;  // one line
  std::string finding_id;       // signature used for deduplication (hex)
  std::uint64_t steps = 0;
  std::uint64_t operation_hash = 0;     // over ScheduleStep contents, module-relative; see docs/formats/schedule.md
  std::vector<ScheduleModule> modules;  // modules[0] is the program
  std::vector<CodeLocation> sites;      // shared code locations known at the start
  std::vector<DecisionRun> decisions;
  std::vector<ScheduleStep> operations;  // one per step; empty when the execution was too long to keep them
};

}  // namespace ravel

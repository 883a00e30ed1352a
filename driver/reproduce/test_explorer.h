// SPDX-License-Identifier: Apache-2.0
// TestExplorer: explores the schedules of a program until one shows the crash: a Campaign that ends at the first
// finding with the failure and stack of the target. The small tests at hand are explored exhaustively (dpor), as far as
// the budget goes. Data races are not reported: nobody asked for them, and the accesses that race are scheduling points
// all the same.
//
// Who calls it: reproduce(), for the harness with one test after the other, and for the test that comes out.
// Thread safety: none.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "driver/process/deadline.h"
#include "driver/reproduce/crash_target.h"
#include "driver/target/target.h"
#include "reports/campaign_result.h"

namespace ravel {

struct ExploreSettings {
  std::string out;                  // directory for schedules
  std::string directory;            // where the program starts
  std::uint64_t executions = 2000;  // of one test
  std::uint64_t seed = 1;
  bool shrink = false;
  StackMatch wanted = StackMatch::exact;
  std::chrono::nanoseconds timeout = std::chrono::seconds(10);
  const StandardInput* input = nullptr;
  Deadline deadline;
};

struct ExploredTest {
  std::optional<ReportedFinding> match;  // the crash
  std::optional<ReportedFinding> near;   // the same functions, but another line
  std::vector<ReportedFinding> others;
  std::uint64_t executions = 0;
  bool complete = false;  // every schedule was explored
};

// What all tests of one reproduction have in common.
TargetSettings target_settings(const std::vector<std::string>& words, const ExploreSettings& settings, Status& status);

Result<ExploredTest> explore_test(const std::vector<std::string>& words, const CrashTarget& target,
                                  const ExploreSettings& settings);

}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
// run_race_test(): runs one race test many times, each time alone and with other scheduling choices where the test
// leaves any, and counts how many of the runs reported what it expects.
//
// Who calls it: `ravel test`, `ravel pin` (to verify what it wrote). Thread safety: no state.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"
#include "driver/process/deadline.h"
#include "driver/race_tests/woven_tests.h"
#include "reports/campaign_result.h"

namespace ravel {

enum class Detector : std::uint8_t { ravel, tsan, helgrind, drd };

struct TestRunOptions {
  std::vector<std::string> program;  // command line, without the arguments of the test
  Detector detector = Detector::ravel;
  unsigned repeats = 10;
  std::uint64_t seed = 1;
  std::chrono::nanoseconds timeout = std::chrono::seconds(10);    // one repeat
  std::chrono::nanoseconds wait_limit = std::chrono::seconds(1);  // of a wait, under detectors other than Ravel
  std::string out = ".ravel";                                     // schedules
  Deadline deadline;
};

struct TestRunResult {
  unsigned repeats = 0;
  unsigned reported = 0;     // repeats that reported what the test expects; without an expectation: that failed
  unsigned impossible = 0;   // repeats in which a wait was never notified: the order that the test forces is impossible
  unsigned others = 0;       // repeats that reported something else
  std::string first_report;  // one sentence with both places; empty: none
  std::string first_wait;    // likewise, of a wait that was never notified
  std::string first_other;
  std::string schedule;  // of the first report, or else of the first finding; empty under other detectors
  std::vector<ReportedFinding> findings;  // each different one once, in order of appearance; Ravel only
  std::vector<std::string> notes;         // what the user should know, one sentence each
};

Result<TestRunResult> run_race_test(const WovenTest& test, const TestRunOptions& options);

}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
// reproduce(): from a crash report to a test that fails the same way, and its schedule. The steps: which class and
// method it is about, the harness, the search for a test, the test as a file, its schedule, the verification of both.
//
// Who calls it: `ravel reproduce`. Writes into ReproduceOptions::out. Thread safety: none.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/status.h"
#include "driver/crash/crash_file.h"
#include "driver/crash/crashing_class.h"
#include "driver/reproduce/crash_target.h"
#include "driver/reproduce/harness_build.h"
#include "driver/reproduce/test_search.h"
#include "driver/target/standard_input.h"
#include "reports/campaign_result.h"

namespace ravel {

struct ReproduceOptions {
  CrashSource crash;
  ClassWish wish;
  std::string handle;     // functions over a handle of this type, in place of a class
  bool deadlock = false;  // the threads hang: two of them wait for each other
  BuildPlan build;        // its work is filled in
  std::string analyzer;
  std::string recorder;   // libravel_calls.so
  std::string out;        // directory for the test and its schedule
  std::string shown_out;  // as the user named it
  std::map<std::string, std::vector<std::string>> values;
  std::set<Pruning> without;
  bool sorted = true;  // as in SearchSettings
  std::uint64_t seed = 1;
  std::uint64_t executions = 2000;  // of each test
  std::size_t longest = 4;          // calls in a prefix
  unsigned threads = 2;             // of a test, at most
  unsigned suffix = 1;              // calls of the other thread, at most
  unsigned repeats = 100;           // of the verification
  bool googletest = false;
  std::chrono::nanoseconds timeout = std::chrono::seconds(10);
  const StandardInput* input = nullptr;
  Deadline deadline;
  std::function<void(const std::string&)> progress;
};

struct Reproduction {
  CrashReport report;
  CrashingClass crashing;
  CrashTarget target;
  ClassListing listing;
  SearchCounts counts;
  std::uint64_t sequences = 0;   // that ran alone
  std::uint64_t executions = 0;  // of tests, under control
  double compile_seconds = 0;
  double search_seconds = 0;
  double seconds = 0;
  std::string cut;  // why it ended early; empty: it did not

  // Only when reproduced:
  std::optional<ReportedFinding> finding;
  StackMatch match = StackMatch::none;
  TestCandidate test;
  std::size_t test_calls = 0;
  std::string test_file;
  std::string program;
  std::string schedule;
  std::string build_command;
  unsigned replays = 0;  // that showed it
  unsigned repeats = 0;  // of these

  // A schedule of the harness showed the crash, and the test is written, but there was no time to verify it.
  bool unverified = false;

  // The nearest that was seen when it was not: the same functions, another line.
  std::optional<ReportedFinding> near;

  bool reproduced() const { return finding.has_value(); }
  // "app__Logger_signal".
  std::string race_test_name() const;
};

Result<Reproduction> reproduce(const ReproduceOptions& options);

}  // namespace ravel

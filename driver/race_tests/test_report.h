// SPDX-License-Identifier: Apache-2.0
// What `ravel test` prints and writes. Pure functions: the same results give the same bytes.
#pragma once

#include <string>
#include <vector>

#include "driver/race_tests/test_run.h"
#include "reports/command_result.h"

namespace ravel {

constexpr const char* detector_name(Detector detector) {
  constexpr const char* kNames[] = {"ravel", "tsan", "helgrind", "drd"};
  return kNames[static_cast<unsigned>(detector)];
}

// One test and its result.
struct TestOutcome {
  WovenTest test;
  TestRunResult result;
  std::string reason;  // why it ran before others; empty: no reason
};

struct TestSummary {
  std::vector<std::string> program;
  Detector detector = Detector::ravel;
  bool hunt = false;
  std::uint64_t seed = 1;
  double seconds = 0;
  std::vector<TestOutcome> outcomes;  // in the order in which they ran
};

// A regression test passes when nothing is reported. A hunt passes when every repeat reports what the test expects.
bool has_passed(const TestRunResult& result, bool hunt);

// Why the test did not pass, or what is worth knowing even though it did; may be empty. One sentence or more.
std::string message_of(const TestOutcome& outcome, bool hunt);

// "list_add  FAILED  reported in 10 of 10", and below it what a reader needs. `width`: of the longest name.
std::string text_of_test(const TestOutcome& outcome, bool hunt, std::size_t width);

// The closing line.
std::string text_of_test_summary(const TestSummary& summary);

// docs/formats/test.md.
std::string json_of_tests(const TestSummary& summary);

// For the reports that all commands write. One case per race test.
CommandResult result_of_tests(const TestSummary& summary);

}  // namespace ravel

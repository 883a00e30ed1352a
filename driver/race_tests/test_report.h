// SPDX-License-Identifier: Apache-2.0
// What `ravel test` prints and writes. Pure functions: the same results give the same bytes.
#pragma once

#include <string>
#include <vector>

#include "driver/race_tests/test_run.h"

namespace ravel {

constexpr const char* detector_name(Detector detector) {
  constexpr const char* kNames[] = {"ravel", "tsan", "helgrind", "drd"};
  return kNames[static_cast<unsigned>(detector)];
}

// One test and what came of it.
struct TestOutcome {
  WovenTest test;
  TestRunResult result;
  std::string reason;  // why it ran before others; empty: it did not
};

struct TestSummary {
  std::vector<std::string> program;
  Detector detector = Detector::ravel;
  bool hunt = false;
  std::uint64_t seed = 1;
  double seconds = 0;
  std::vector<TestOutcome> outcomes;  // in the order in which they ran
};

// As a regression test: nothing was reported. Hunting: in every repeat, what the test expects.
bool has_passed(const TestRunResult& result, bool hunt);

// Why the test did not pass, or what is worth knowing although it did; may be empty. One sentence or more.
std::string message_of(const TestOutcome& outcome, bool hunt);

// "list_add  FAILED  reported in 10 of 10", and below it what a reader needs. `width`: of the longest name.
std::string text_of_test(const TestOutcome& outcome, bool hunt, std::size_t width);

// The closing line.
std::string text_of_test_summary(const TestSummary& summary);

// docs/formats/test.md.
std::string json_of_tests(const TestSummary& summary);

// One test case per race test.
std::string junit_of_tests(const TestSummary& summary);

}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
// When a race test passes, and what is reported about it.
#include "driver/race_tests/test_report.h"
#include "reports/junit_report.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace ravel {
namespace {

TestOutcome outcome(unsigned repeats, unsigned reported, unsigned impossible, unsigned others) {
  TestOutcome outcome;
  outcome.test.name = "list_add";
  outcome.test.expected = FindingKind::data_race;
  outcome.result.repeats = repeats;
  outcome.result.reported = reported;
  outcome.result.impossible = impossible;
  outcome.result.others = others;
  if (reported > 0) outcome.result.first_report = "data-race: a < b";
  if (impossible > 0) outcome.result.first_wait = "test list_add waits for \"x\"";
  if (others > 0) outcome.result.first_other = "abort: the program called abort";
  return outcome;
}

TEST(TestReport, WhenATestHasPassed) {
  const auto passed = [](unsigned reported, unsigned impossible, unsigned others, bool hunt) {
    return has_passed(outcome(10, reported, impossible, others).result, hunt);
  };
  EXPECT_TRUE(passed(0, 0, 0, false));
  EXPECT_TRUE(passed(0, 10, 0, false)) << "a fix may make the order impossible";
  EXPECT_FALSE(passed(1, 0, 0, false));
  EXPECT_FALSE(passed(0, 0, 1, false));
  EXPECT_TRUE(passed(10, 0, 3, true));
  EXPECT_FALSE(passed(9, 0, 0, true));
  EXPECT_FALSE(passed(0, 10, 0, true));
  EXPECT_FALSE(has_passed(outcome(0, 0, 0, 0).result, false)) << "who has not run has not passed";
}

TEST(TestReport, WhatIsSaidOfATest) {
  EXPECT_EQ(text_of_test(outcome(10, 0, 0, 0), false, 10), "list_add    passed  reported in 0 of 10\n");
  EXPECT_EQ(text_of_test(outcome(10, 2, 0, 0), false, 8),
            "list_add  FAILED  reported in 2 of 10\n  data-race: a < b\n");
  EXPECT_EQ(text_of_test(outcome(10, 0, 4, 0), false, 8),
            "list_add  passed  reported in 0 of 10\n"
            "  in 4 of 10 the order that the test forces was not possible: test list_add waits for \"x\"\n");
  EXPECT_EQ(text_of_test(outcome(10, 9, 0, 0), true, 8),
            "list_add  FAILED  reported in 9 of 10\n  in 1 of 10 nothing was reported\n");
  TestOutcome with_schedule = outcome(10, 0, 0, 10);
  with_schedule.result.schedule = ".ravel/list_add/1-abort.ravel";
  EXPECT_EQ(text_of_test(with_schedule, false, 8),
            "list_add  FAILED  reported in 0 of 10\n"
            "  in 10 of 10 something else: abort: the program called abort\n"
            "  Replay: ravel replay .ravel/list_add/1-abort.ravel\n");
}

TEST(TestReport, Summaries) {
  TestSummary summary;
  summary.program = {"./woven"};
  summary.outcomes = {outcome(10, 0, 0, 0), outcome(10, 10, 0, 0)};
  EXPECT_EQ(text_of_test_summary(summary), "2 regression tests under ravel: 1 FAILED, 20 executions; 0.00 s\n");
  const auto json = nlohmann::json::parse(json_of_tests(summary));
  EXPECT_EQ(json["command"], "test");
  EXPECT_EQ(json["executions"], 20);
  EXPECT_EQ(json["failed"], 1);
  EXPECT_EQ(json["tests"][0]["name"], "list_add");
  EXPECT_EQ(json["tests"][0]["passed"], true);
  EXPECT_EQ(json["tests"][1]["passed"], false);
  EXPECT_EQ(json["tests"][1]["message"], "data-race: a < b");
  EXPECT_EQ(json["tests"][1]["schedule"], nullptr);
  const std::string junit = junit_report(result_of_tests(summary));
  EXPECT_NE(junit.find("<testsuite name=\"ravel test\" tests=\"2\" failures=\"1\""), std::string::npos);
  EXPECT_NE(junit.find("message=\"data-race: a &lt; b\""), std::string::npos);
  summary.detector = Detector::drd;
  summary.hunt = true;
  EXPECT_EQ(nlohmann::json::parse(json_of_tests(summary))["strategy"], nullptr);
  EXPECT_EQ(text_of_test_summary(summary), "2 hunting tests under drd: 1 FAILED, 20 runs; 0.00 s\n");
}

}  // namespace
}  // namespace ravel

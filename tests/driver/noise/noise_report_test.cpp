// SPDX-License-Identifier: Apache-2.0
#include "driver/noise/noise_report.h"
#include "reports/junit_report.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace ravel {
namespace {

NoiseResult sample() {
  NoiseResult result;
  result.program = {"./system_test", "--fast"};
  result.seeded = {1000, 412};
  result.control = FailureRate{1000, 0};
  result.seconds = 20;
  result.events = 50'000;
  result.noises[static_cast<unsigned>(NoiseKind::sleep)] = 321;
  result.coverage.tasks = 10;
  result.coverage.tasks_covered = 9;
  result.coverage.pairs = 25;
  result.coverage.pairs_covered = 7;
  result.coverage.rows = {{"push(int)", true, 3, 2, {"pop()"}}, {"setup()", false, 0, 0, {}}};
  NoiseFailure failure;
  failure.seen.id = 1;
  failure.seen.finding.kind = FindingKind::exit_code;
  failure.seen.finding.message = "the program ended with exit code 3";
  failure.seen.first_execution = 5;
  failure.seen.count = 412;
  failure.seen.output = "a < b & \"c\"\n\x01";
  failure.reproduction.emplace();
  failure.reproduction->reason = "it did not come back when its record was followed under control";
  result.failures.push_back(failure);
  return result;
}

TEST(NoiseReportTest, TheSummaryCountsBothArms) {
  const std::string text = text_of_noise_summary(sample(), {});
  EXPECT_EQ(
      text,
      "noise: 321 sleep, at 50000 concurrent events\n"
      "coverage: 9 of 10 tasks of functions (interrupted, not interrupted), 7 of 25 pairs of functions\n"
      "without noise: 0 of 1000 runs failed: 0% (95% interval: 0% to 0.38%)\n"
      "with noise: 412 of 1000 runs failed: 41.2% (95% interval: 38.2% to 44.3%); 20.00 s (100.0 runs per second)\n");
}

TEST(NoiseReportTest, TheTableTellsSingleThreadedFunctionsApart) {
  NoiseTextOptions options;
  options.coverage_table = true;
  const std::string text = text_of_noise_summary(sample(), options);
  EXPECT_NE(text.find("push(int)       3 runs           2 runs  pop()\n"), std::string::npos) << text;
  EXPECT_NE(text.find("setup()    only ever single-threaded\n"), std::string::npos) << text;
}

TEST(NoiseReportTest, AFailureThatDidNotComeBackSaysSo) {
  const NoiseResult result = sample();
  const std::string text = text_of_failure(result.failures[0], result, {});
  EXPECT_NE(text.find("  Seen in 412 of 2000 runs, first in run 5; 0 of them without noise.\n"), std::string::npos)
      << text;
  EXPECT_NE(text.find("  There is no schedule: it did not come back when its record was followed under control.\n"),
            std::string::npos)
      << text;
}

TEST(NoiseReportTest, AFailureThatCameBackIsToldAsItsFinding) {
  NoiseResult result = sample();
  ReproductionResult& again = *result.failures[0].reproduction;
  again = {};
  again.came_back = true;
  again.executions = 4;
  again.tries = 10;
  again.again = 7;
  again.finding.emplace();
  again.finding->id = 1;
  again.finding->finding.kind = FindingKind::exit_code;
  again.finding->schedule_path = ".ravel/1-exit-code.ravel";
  again.finding->best_effort = true;
  const std::string text = text_of_failure(result.failures[0], result, {});
  EXPECT_NE(text.find("ravel replay .ravel/1-exit-code.ravel"), std::string::npos) << text;
  EXPECT_NE(text.find("came back within 4 executions"), std::string::npos) << text;
  EXPECT_NE(text.find("It came back in 7 of 10 replays."), std::string::npos) << text;
  const auto json = nlohmann::json::parse(json_of_noise(result));
  EXPECT_EQ(json["findings"][0]["schedule"], ".ravel/1-exit-code.ravel");
  EXPECT_EQ(json["findings"][0]["reproduction"]["replays"], (std::vector<int>{7, 10}));
}

TEST(NoiseReportTest, AHangWithAnotherNameUnderControlStillTellsWhereEverybodyWas) {
  NoiseResult result = sample();
  NoiseFailure& failure = result.failures[0];
  failure.seen.finding.kind = FindingKind::timeout;
  ResolvedStack waits;
  waits.task = 0;
  waits.kind = OperationKind::task_join;
  waits.object = "T1";
  waits.blocked = true;
  Frame frame;
  frame.function = "main";
  frame.file = "main.cpp";
  frame.line = 30;
  waits.frames = {frame};
  ResolvedStack runs;
  runs.task = 1;
  failure.seen.finding.stacks = {waits, runs};
  failure.reproduction->came_back = true;
  failure.reproduction->finding.emplace().finding.kind = FindingKind::livelock;
  const std::string text = text_of_failure(failure, result, {});
  EXPECT_NE(text.find("    T0 waits for T1 to end, at main.cpp:30\n    T1 runs\n"), std::string::npos) << text;
}

TEST(NoiseReportTest, TheJsonHasTheKeysOfTheContract) {
  const auto json = nlohmann::json::parse(json_of_noise(sample()));
  EXPECT_EQ(json["command"], "noise");
  EXPECT_EQ(json["runs"], 1000);
  EXPECT_EQ(json["failures"], 412);
  EXPECT_DOUBLE_EQ(json["failure_rate"], 0.412);
  EXPECT_NEAR(json["interval"][0].get<double>(), 0.382, 0.001);
  EXPECT_EQ(json["control"]["runs"], 1000);
  EXPECT_EQ(json["control"]["failures"], 0);
  EXPECT_EQ(json["coverage"]["methods"], (std::vector<int>{9, 10}));
  EXPECT_EQ(json["coverage"]["pairs"], (std::vector<int>{7, 25}));
  EXPECT_EQ(json["findings"][0]["count"], 412);
  EXPECT_EQ(json["findings"][0]["first_run"], 5);
}

TEST(NoiseReportTest, JUnitEscapesWhatTheProgramWrote) {
  const std::string xml = junit_report(result_of_noise(sample()));
  EXPECT_NE(xml.find("<testsuite name=\"ravel noise\" tests=\"1\" failures=\"1\""), std::string::npos);
  EXPECT_NE(xml.find("a &lt; b &amp; &quot;c&quot;"), std::string::npos) << xml;
  EXPECT_EQ(xml.find('\x01'), std::string::npos);
  NoiseResult passed = sample();
  passed.failures.clear();
  EXPECT_NE(junit_report(result_of_noise(passed)).find("tests=\"1\" failures=\"0\""), std::string::npos);
}

}  // namespace
}  // namespace ravel

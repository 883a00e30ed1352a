// SPDX-License-Identifier: Apache-2.0
// The terminal report: one golden file per kind of finding, and the rules that hold for all of them.
#include "reports/text_report.h"

#include <gtest/gtest.h>

#include <sstream>

#include "tests/reports/golden.h"
#include "tests/reports/sample_findings.h"

namespace ravel {
namespace {

class EveryKind : public ::testing::TestWithParam<unsigned> {
 protected:
  FindingKind kind() const { return static_cast<FindingKind>(GetParam()); }
};

TEST_P(EveryKind, LooksLikeItsGoldenFile) {
  SampleFindings samples;
  expect_golden(std::string("report-") + finding_name(kind()) + ".txt", text_of_finding(samples.reported(kind())));
}

TEST_P(EveryKind, IsTheSameBytesEveryTime) {
  SampleFindings first;
  SampleFindings second;
  EXPECT_EQ(text_of_finding(first.reported(kind())), text_of_finding(second.reported(kind())));
}

TEST_P(EveryKind, ColorAddsOnlyColor) {
  SampleFindings samples;
  TextOptions options;
  const std::string plain = text_of_finding(samples.reported(kind()), options);
  EXPECT_EQ(plain.find('\x1b'), std::string::npos);
  options.color = true;
  std::string colored = text_of_finding(samples.reported(kind()), options);
  EXPECT_NE(colored.find('\x1b'), std::string::npos);
  for (std::size_t at = 0; (at = colored.find('\x1b')) != std::string::npos;) {
    colored.erase(at, colored.find('m', at) - at + 1);
  }
  EXPECT_EQ(colored, plain);
}

TEST_P(EveryKind, StaysWithinAHundredColumns) {
  SampleFindings samples;
  std::istringstream text(text_of_finding(samples.reported(kind())));
  std::string line;
  while (std::getline(text, line)) EXPECT_LE(line.size(), 100U) << line;
}

std::string kind_name(const ::testing::TestParamInfo<unsigned>& info) {
  std::string name = finding_name(static_cast<FindingKind>(info.param));
  for (char& c : name) {
    if (c == '-') c = '_';
  }
  return name;
}
INSTANTIATE_TEST_SUITE_P(Findings, EveryKind, ::testing::Range(0U, kFindingKinds), kind_name);

TEST(TextReport, AReplayDoesNotTalkAboutACampaign) {
  SampleFindings samples;
  ReportedFinding finding = samples.reported(FindingKind::deadlock);
  finding.first_execution = 0;
  EXPECT_EQ(text_of_finding(finding).find("Found in execution"), std::string::npos);
}

TEST(TextReport, ShowsTheLastLinesOfLongOutput) {
  SampleFindings samples;
  ReportedFinding finding = samples.reported(FindingKind::exit_code);
  finding.output.clear();
  for (int i = 1; i <= 1000; ++i) finding.output += "line " + std::to_string(i) + "\n";
  finding.output += std::string(100000, 'x');
  TextOptions options;
  options.output_lines = 3;
  options.output_columns = 10;
  const std::string text = text_of_finding(finding, options);
  EXPECT_NE(text.find("  Last output of the program:\n    | line 999\n    | line 1000\n    | xxxxxxxxxx...\n"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("line 998"), std::string::npos);
}

TEST(TextReport, SaysWhenThereIsNoSchedule) {
  SampleFindings samples;
  ReportedFinding finding = samples.reported(FindingKind::exit_code);
  finding.schedule_path.clear();
  EXPECT_NE(text_of_finding(finding).find("cannot be replayed"), std::string::npos);
  EXPECT_EQ(text_of_finding(finding).find("ravel replay"), std::string::npos);
}

TEST(TextReport, QuotesTheReplayCommandForTheShell) {
  SampleFindings samples;
  ReportedFinding finding = samples.reported(FindingKind::exit_code);
  finding.schedule_path = "my runs/it's.ravel";
  EXPECT_NE(text_of_finding(finding).find("ravel replay 'my runs/it'\\''s.ravel'\n"), std::string::npos);
}

TEST(TextReport, LimitsTheFramesOfAStack) {
  SampleFindings samples;
  ReportedFinding finding = samples.reported(FindingKind::assertion);
  finding.finding.stacks[0].frames.assign(30, frame("deep(int)", "deep.cpp", 3));
  const std::string text = text_of_finding(finding);
  EXPECT_NE(text.find("    #23 deep(int)  deep.cpp:3\n    ... 6 more\n"), std::string::npos) << text;
}

TEST(TextReport, SummaryOfACampaign) {
  SampleFindings samples;
  CampaignResult result;
  result.program = {"./bank"};
  result.executions = 10000;
  result.seconds = 4;
  result.distinct_orders = 57;
  result.unseen_probability = 0.02;
  std::string text = "-- nothing found\n" + text_report(result);
  result.complete = true;
  text += "-- complete\n" + text_report(result);
  result.complete = false;
  result.notes = {"the program never creates a thread"};
  result.executions = 1;
  result.distinct_orders = 1;
  result.findings = {samples.reported(FindingKind::assertion)};
  text += "-- with a finding\n" + text_report(result);
  expect_golden("report-summary.txt", text);
}

}  // namespace
}  // namespace ravel

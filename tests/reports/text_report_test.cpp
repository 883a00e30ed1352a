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

// The same race on memory of every kind, and with less known about it.
TEST(TextReport, RacesOnMemoryOfEveryKind) {
  SampleFindings samples;
  std::vector<TaskRecord> tasks = samples.tasks();
  std::string text;
  const auto show = [&](const std::string& title, const FindingRecord& record) {
    ReportedFinding reported;
    reported.finding = resolve_finding(record, tasks, samples.symbols());
    reported.tasks = 2;
    text += "-- " + title + "\n" + text_of_finding(reported) + "\n";
  };

  DataName ledger;
  ledger.name = "ledger";
  ledger.member = ".accounts[2].balance";
  ledger.type = "bank::Ledger";
  ledger.file = "include/bank/ledger.h";
  ledger.line = 31;
  const std::uint64_t member = samples.symbols().add_global(ledger, 120) + 48;
  show("a member of a global", *samples.race_at(member));

  auto heap = samples.race_at(0x9000'0110);
  samples.block(*heap, 0x9000'0100, 24);
  heap->block.freed_by = kNoTask;
  heap->block.freed.count = 0;
  show("a heap block", *heap);

  heap->block.allocated.count = 0;
  show("a heap block that was not watched", *heap);

  show("a local variable", *samples.race_at(0x6000'0010));

  tasks[1].tls_low = 0x6070'0000;  // inside its stack, as glibc does
  tasks[1].tls_high = 0x6070'1000;
  samples.symbols().add_thread_local("cache", 0x10);
  show("a thread_local variable", *samples.race_at(0x6070'0ff0));
  show("a thread_local variable of a library", *samples.race_at(0x6070'0100));

  show("unknown memory", *samples.race_at(0x5555'0000, 1));

  auto partial = samples.race_at(member);
  partial->participant[1].stack.count = 1;
  partial->participant[0].held[0] = 0x9000'0000;
  show("an earlier access of which only the place is known", *partial);

  auto range = samples.race_at(member, 24);
  range->participant[1].operation.size = 4;
  range->participant[1].operation.kind = OperationKind::atomic_rmw;
  show("accesses of different sizes, one of them atomic", *range);

  auto locks = samples.race_at(member);
  locks->participant[0].held[0] = 0x9000'0000;
  locks->participant[1].held[0] = 0x9000'0040;
  show("different locks", *locks);
  locks->participant[1].held[0] = 0x9000'0000;
  show("the same lock", *locks);

  std::istringstream lines(text);
  std::string line;
  while (std::getline(lines, line)) EXPECT_LE(line.size(), 100U) << line;
  expect_golden("report-data-races.txt", text);
}

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
  result.instrumented = true;
  result.executions = 10000;
  result.seconds = 4;
  result.distinct_orders = 57;
  result.unseen_probability = 0.02;
  std::string text = "-- nothing found\n" + text_report(result);
  result.coverage.pct = {{1, 100, 4, 0, 0.999996}, {2, 100, 4, 60, 0.3479}, {3, 100, 4, 60, 0.0063}};
  text += "-- nothing found, with pct among others\n" + text_report(result);
  result.coverage.pct = {{1, 1, 200, 0, 0.005}};
  text += "-- nothing found, and little to say of pct\n" + text_report(result);
  result.strategy = "pct";
  text += "-- the same, asked for pct\n" + text_report(result);
  result.strategy = "auto";
  result.coverage.pct.clear();
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

TEST(TextReport, TheSummarySaysWhatWasNotSeen) {
  CampaignResult result;
  result.executions = 60;
  EXPECT_NE(text_of_summary(result).find("; memory was not seen: build the program with `ravel c++`"),
            std::string::npos);
  result.instrumented = true;
  result.cut = 45;
  EXPECT_NE(text_of_summary(result).find("nothing found in 60 executions"), std::string::npos);
  EXPECT_NE(text_of_summary(result).find("; 45 of them were cut\n"), std::string::npos);
  result.cut = 60;
  EXPECT_NE(text_of_summary(result).find("no verdict in 60 executions"), std::string::npos);
  EXPECT_EQ(text_of_summary(result).find("chance that"), std::string::npos);
}

TEST(TextReport, TheSummarySaysWhatToFixFirst) {
  SampleFindings samples;
  CampaignResult result;
  result.executions = 3;
  result.findings = {samples.reported(FindingKind::leak_of_lock), samples.reported(FindingKind::deadlock)};
  result.findings[0].first_execution = 1;
  result.findings[1].first_execution = 2;
  EXPECT_NE(text_of_summary(result).find("  fix this first: 2 (deadlock)\n  then 16 (leak-of-lock)\n"),
            std::string::npos)
      << text_of_summary(result);
  result.findings[1].first_execution = 1;
  EXPECT_NE(text_of_summary(result).find("2 (deadlock); with it probably goes 16 (leak-of-lock)\n"), std::string::npos);
  result.findings.push_back(samples.reported(FindingKind::exit_code));
  result.findings[2].first_execution = 1;
  EXPECT_NE(text_of_summary(result).find("with it probably go 16 (leak-of-lock) and "), std::string::npos)
      << text_of_summary(result);
}

TEST(TextReport, TakesTheWidthItIsGiven) {
  SampleFindings samples;
  ReportedFinding finding = samples.reported(FindingKind::assertion);
  finding.finding.stacks[0].frames = {frame(std::string(60, 'f') + "()", std::string(60, 'd') + ".cpp", 3)};
  TextOptions wide;
  wide.width = 200;
  EXPECT_NE(text_of_finding(finding).find("\n         at d"), std::string::npos);
  EXPECT_EQ(text_of_finding(finding, wide).find("\n         at d"), std::string::npos);
}

TEST(TextReport, SaysWhatTheTimeDidNotAllow) {
  SampleFindings samples;
  ReportedFinding finding = samples.reported(FindingKind::assertion);
  finding.unfinished = "not shrunk: the time was up";
  EXPECT_NE(text_of_finding(finding).find("(replayed: same finding; not shrunk: the time was up)"), std::string::npos);
  finding.replayed = false;
  finding.unfinished = "not run again: the time was up";
  EXPECT_NE(text_of_finding(finding).find(".ravel (not run again: the time was up)"), std::string::npos);
}

}  // namespace
}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
// SARIF: a golden file for each of ten kinds of findings (tests/web validates them against the schema), and what the
// schema does not say.
#include "reports/sarif_report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/reports/golden.h"
#include "tests/reports/sample_explanation.h"
#include "tests/reports/sample_findings.h"

namespace ravel {
namespace {

CommandResult result_with(std::vector<ReportedFinding> findings) {
  CommandResult result;
  result.command = "run";
  result.program = {"./bank", "--fast"};
  result.findings = std::move(findings);
  result.source_root = "/work/bank";
  return result;
}

ReportedFinding explained(FindingKind kind) {
  ReportedFinding finding = SampleFindings().reported(kind);
  finding.explanation = sample_explanation();
  return finding;
}

nlohmann::json parsed(const CommandResult& result) { return nlohmann::json::parse(sarif_report(result)); }

TEST(SarifReport, LooksLikeThisForTenKinds) {
  for (const FindingKind kind :
       {FindingKind::data_race, FindingKind::deadlock, FindingKind::lost_wakeup, FindingKind::livelock,
        FindingKind::assertion, FindingKind::signal, FindingKind::uncaught_exception, FindingKind::use_after_free,
        FindingKind::lock_misuse, FindingKind::exit_code}) {
    const bool steps = kind == FindingKind::data_race || kind == FindingKind::assertion;
    expect_golden(std::string("sarif-") + finding_name(kind) + ".json",
                  sarif_report(result_with({steps ? explained(kind) : SampleFindings().reported(kind)})));
  }
}

TEST(SarifReport, OneRuleForEachKind) {
  SampleFindings samples;
  const auto run = parsed(result_with({samples.reported(FindingKind::deadlock), samples.reported(FindingKind::signal),
                                       samples.reported(FindingKind::deadlock)}))["runs"][0];
  ASSERT_EQ(run["tool"]["driver"]["rules"].size(), 2U);
  for (const auto& result : run["results"]) {
    EXPECT_EQ(run["tool"]["driver"]["rules"][result["ruleIndex"].get<std::size_t>()]["id"], result["ruleId"]);
  }
}

TEST(SarifReport, FlowsTellTheInterleaving) {
  const auto flows = parsed(result_with({explained(FindingKind::assertion)}))["runs"][0]["results"][0]["codeFlows"];
  ASSERT_EQ(flows.size(), 2U);
  // As one list: in the order of the execution.
  const auto& list = flows[0]["threadFlows"][0]["locations"];
  ASSERT_EQ(list.size(), 7U);
  EXPECT_EQ(list[2]["location"]["message"]["text"], "(1) T1: reads balance: 0 {mutex}");
  EXPECT_EQ(list[2]["importance"], "essential");
  EXPECT_EQ(list[2]["state"]["balance"]["text"], "0");
  EXPECT_EQ(list[3]["location"]["message"]["text"], "T1: unlock mutex {mutex}; preempted");
  // By task: each with its own steps, and when they were made.
  const auto& threads = flows[1]["threadFlows"];
  ASSERT_EQ(threads.size(), 3U);
  EXPECT_EQ(threads[2]["id"], "T2");
  EXPECT_EQ(threads[2]["message"]["text"], "T2 (auditor) worker()");
  EXPECT_EQ(threads[2]["locations"][0]["executionOrder"], 5);
  EXPECT_EQ(threads[2]["locations"][1]["executionOrder"], 6);
}

TEST(SarifReport, LongExecutionsKeepWhatDecides) {
  ReportedFinding finding = explained(FindingKind::assertion);
  std::vector<ExplainedStep>& steps = finding.explanation->steps;
  for (std::uint64_t i = 0; i < 5000; ++i) {
    steps.push_back(bank_step(10 + i, 1 + i % 2, OperationKind::write, "balance", 13));
  }
  const auto flows = parsed(result_with({finding}))["runs"][0]["results"][0]["codeFlows"];
  const auto& list = flows[0]["threadFlows"][0]["locations"];
  EXPECT_EQ(list.size(), 500U);
  EXPECT_EQ(list[0]["executionOrder"], 3);  // (1)
  EXPECT_EQ(list[list.size() - 1]["executionOrder"], 5009);
}

TEST(SarifReport, PathsAreRelativeToTheRootOfTheSources) {
  ReportedFinding finding = explained(FindingKind::assertion);
  finding.explanation->steps[0].stack = {bank_frame("f()", 3, "/usr/include/c++/12/a b.h")};
  const auto flows = parsed(result_with({finding}))["runs"][0]["results"][0]["codeFlows"];
  const auto& list = flows[0]["threadFlows"][0]["locations"];
  const auto uri = [&](std::size_t i) { return list[i]["location"]["physicalLocation"]["artifactLocation"]; };
  EXPECT_EQ(uri(0), (nlohmann::json{{"uri", "file:///usr/include/c++/12/a%20b.h"}}));
  EXPECT_EQ(uri(1), (nlohmann::json{{"uri", "src/bank.cpp"}, {"uriBaseId", "%SRCROOT%"}}));
}

TEST(SarifReport, NothingFoundIsAnEmptyList) {
  EXPECT_EQ(parsed(result_with({}))["runs"][0]["results"], nlohmann::json::array());
}

}  // namespace
}  // namespace ravel

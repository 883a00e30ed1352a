// SPDX-License-Identifier: Apache-2.0
// The table of cases and their part of the summary.
#include "driver/cases/case_report.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace ravel {
namespace {

CaseSearch some_cases() {
  CaseSearch search;
  search.seconds = 1.5;
  const auto add = [&](const char* name, std::uint64_t executions) -> CampaignResult& {
    ExploredCase& one = search.explored.emplace_back();
    one.name = name;
    one.command_line = {"./tests", name};
    one.end.result.executions = executions;
    one.end.result.distinct_orders = executions / 2 + 1;
    one.end.result.instrumented = true;
    return one.end.result;
  };
  const auto find = [](CampaignResult& result, std::uint32_t id, FindingKind kind) {
    ReportedFinding finding;
    finding.id = id;
    finding.finding.kind = kind;
    result.findings.push_back(finding);
  };
  add("Queue.Push", 250);
  add("Queue.Pop", 12).complete = true;
  CampaignResult& failing = add("Queue.Both", 7);
  find(failing, 1, FindingKind::data_race);
  find(failing, 2, FindingKind::data_race);
  find(failing, 3, FindingKind::assertion);
  add("Plain", 1).without_tasks = true;
  add("Slow", 0);
  return search;
}

TEST(CaseTable, HasARowForEachCase) {
  CaseSearch search = some_cases();
  search.left = 2;
  EXPECT_EQ(table_of_cases(search),
            "case        executions  distinct orders  result\n"
            "Queue.Push         250              126  passed\n"
            "Queue.Pop           12                7  passed, complete\n"
            "Queue.Both           7                4  failed: data-race, assertion\n"
            "Plain                1                1  no threads\n"
            "Slow                 0                1  no verdict\n"
            "7 cases: 3 passed, 1 failed, 1 without verdict, 2 not explored; 270 executions, 1.50 s\n");
}

TEST(CaseTable, ALongNameHasALineToItself) {
  CaseSearch search;
  search.explored.resize(2);
  search.explored[0].name = std::string(90, 'x');
  search.explored[1].name = "gr\xc3\xbc\xc3\x9f";  // counted by characters
  TextOptions options;
  options.width = 70;
  const std::string table = table_of_cases(search, options);
  EXPECT_NE(table.find(std::string(90, 'x') + "\n" + std::string(24, ' ') + "           0"), std::string::npos)
      << table;
  EXPECT_NE(table.find("gr\xc3\xbc\xc3\x9f" + std::string(20, ' ') + "           0"), std::string::npos) << table;
}

TEST(CaseTable, SaysWhatWasNotSeen) {
  CaseSearch search = some_cases();
  for (ExploredCase& one : search.explored) one.end.result.instrumented = false;
  EXPECT_NE(table_of_cases(search).find("memory was not seen"), std::string::npos);
}

TEST(CaseSummary, HasTheCommonKeysAndTheCases) {
  const CaseSearch search = some_cases();
  CampaignOptions options;
  options.target.arguments = {"./tests"};
  const auto json = nlohmann::json::parse(json_of_cases(sum_of(search, options).result, search));
  EXPECT_EQ(json["program"], nlohmann::json::array({"./tests"}));
  EXPECT_EQ(json["executions"], 270);
  EXPECT_EQ(json["cases_not_explored"], 0);
  ASSERT_EQ(json["cases"].size(), 5U);
  const auto& both = json["cases"][2];
  EXPECT_EQ(both["name"], "Queue.Both");
  EXPECT_EQ(both["result"], "failed");
  EXPECT_EQ(both["executions"], 7);
  EXPECT_EQ(both["distinct_orders"], 4);
  EXPECT_EQ(both["complete"], false);
  EXPECT_EQ(both["program"], nlohmann::json::array({"./tests", "Queue.Both"}));
  EXPECT_EQ(both["findings"].size(), 3U);
  EXPECT_EQ(json["findings"].size(), 3U);
  EXPECT_EQ(json["findings"][0]["case"], "Queue.Both");
  EXPECT_EQ(json["cases"][1]["complete"], true);
  EXPECT_EQ(json["cases"][3]["result"], "no threads");
  EXPECT_EQ(json["cases"][4]["result"], "no verdict");
  EXPECT_TRUE(json["cases"][4].contains("reason"));
  EXPECT_FALSE(both.contains("reason"));
}

}  // namespace
}  // namespace ravel

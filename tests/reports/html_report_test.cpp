// SPDX-License-Identifier: Apache-2.0
// The page: its data, and that nothing in the data can break out of it. tests/web looks at it in a browser.
#include "reports/html_report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/reports/golden.h"
#include "tests/reports/sample_explanation.h"
#include "tests/reports/sample_findings.h"

namespace ravel {
namespace {

CommandResult sample() {
  SampleFindings samples;
  CommandResult result;
  result.command = "run";
  result.program = {"./bank", "--fast"};
  result.verdict = "2 findings in 123 executions, 57 distinct orders";
  result.notes = {"a note"};
  result.findings = {samples.reported(FindingKind::assertion), samples.reported(FindingKind::deadlock)};
  result.findings[0].explanation = sample_explanation();
  result.findings[1].part = "Bank.Transfer";
  result.cases = {{"Bank.Transfer", 0.5, TestFailure{"deadlock", "T1 waits", ""}},
                  {"Bank.Open", {}},
                  {"Bank.Close", {}, {}, "the time was up"}};
  result.sources["/work/bank/src/bank.cpp"] = {{12, "  const int before = balance;"}, {13, "  balance = before + 1;"}};
  return result;
}

TEST(HtmlReport, TheDataLooksLikeThis) {
  expect_golden("report-page.json", nlohmann::ordered_json::parse(html_data(sample())).dump(1) + "\n");
}

TEST(HtmlReport, IsOnePageWithItsDataInside) {
  const std::string page = html_report(sample());
  EXPECT_TRUE(page.starts_with("<!doctype html>"));
  EXPECT_EQ(page.find("@RAVEL_"), std::string::npos);
  EXPECT_NE(page.find("\"verdict\":\"2 findings in 123 executions"), std::string::npos);
}

TEST(HtmlReport, WhatAProgramWritesCannotEndTheScript) {
  CommandResult result = sample();
  const std::string plain = html_report(result);
  result.findings[0].output = "</script><script>alert(1)</script><!-- \x01\xff";
  const std::string page = html_report(result);
  const auto count = [](const std::string& text, const char* word) {
    std::size_t times = 0;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++times;
    return times;
  };
  EXPECT_EQ(count(page, "</script"), count(plain, "</script"));
  EXPECT_EQ(count(page, "<!--"), count(plain, "<!--"));
  EXPECT_NE(page.find("\\u003c/script>"), std::string::npos);
}

TEST(HtmlReport, StacksAreWrittenOnce) {
  const auto data = nlohmann::json::parse(html_data(sample()));
  const auto& steps = data["findings"][0]["explanation"]["failing"]["steps"];
  EXPECT_EQ(steps[5]["stack"], steps[6]["stack"]);  // both at bank.cpp:13
  EXPECT_EQ(data["stacks"].size(), 5U);             // lines 60, 11, 12, 14, 13
}

}  // namespace
}  // namespace ravel

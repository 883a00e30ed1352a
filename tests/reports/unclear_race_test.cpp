// SPDX-License-Identifier: Apache-2.0
// Unclear races in words.
#include "reports/unclear_race.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "reports/json_report.h"
#include "reports/text_report.h"
#include "tests/reports/sample_findings.h"
#include "tests/reports/table_symbols.h"

namespace ravel {
namespace {

CampaignResult result_with(const std::vector<const char*>& orders) {
  SampleFindings samples;
  CampaignResult result;
  result.executions = 1;
  for (const char* const order : orders) {
    ResolvedFinding finding = samples.reported(FindingKind::data_race).finding;
    finding.may_be_ordered_by = order;
    result.unclear_races.push_back({std::move(finding), 1});
  }
  return result;
}

TEST(UnclearRace, NamesTheAssemblyByItsFunction) {
  TableSymbols symbols;
  const std::uint64_t code = symbols.add({frame("SpinLock::lock()", "lock.cpp", 7), frame("work()", "main.cpp", 9)});
  EXPECT_EQ(unseen_order_name({UnseenOrder::assembly, 0, code}, symbols), "assembly in SpinLock::lock()");
  EXPECT_EQ(unseen_order_name({UnseenOrder::write, 0, 0}, symbols), "code that is not instrumented");
  EXPECT_EQ(unseen_order_name({}, symbols), "");
}

TEST(UnclearRace, OneParagraphForEachLibraryAndNothingIsFound) {
  const std::string text = text_of_summary(result_with({"libgomp.so.1", "libtbb.so.12", "libgomp.so.1"}), {});
  const std::size_t gomp = text.find("unclear races: libgomp.so.1 may order these accesses");
  const std::size_t tbb = text.find("unclear race: libtbb.so.12 may order these accesses");
  ASSERT_NE(gomp, std::string::npos) << text;
  ASSERT_NE(tbb, std::string::npos) << text;
  EXPECT_LT(gomp, tbb);
  EXPECT_NE(text.find("called_from_lib:libtbb.so.12"), std::string::npos) << text;
  EXPECT_NE(text.find("nothing found in 1 execution"), std::string::npos) << text;
}

TEST(UnclearRace, OnlyTheFirstFewAreShown) {
  const std::string text = text_of_summary(result_with(std::vector<const char*>(11, "libgomp.so.1")), {});
  EXPECT_NE(text.find("  and 3 more\n"), std::string::npos) << text;
}

TEST(UnclearRace, AdvisesNobodyToRebuildTheCxxRuntime) {
  EXPECT_EQ(unclear_race_advice({"libstdc++.so.6", {}}).find("build"), std::string::npos);
  EXPECT_NE(unclear_race_advice({"libgomp.so.1", {}}).find("build libgomp.so.1 with ravel c++"), std::string::npos);
  EXPECT_EQ(unclear_race_advice({"assembly in lock()", {}}).find("suppressions"), std::string::npos);
}

TEST(UnclearRace, IsInTheSummaryFileButNotAmongTheFindings) {
  const auto json = nlohmann::json::parse(json_report(result_with({"libgomp.so.1"})));
  EXPECT_TRUE(json.at("findings").empty());
  ASSERT_EQ(json.at("unclear_races").size(), 1U);
  EXPECT_EQ(json.at("unclear_races")[0].at("may_be_ordered_by"), "libgomp.so.1");
  EXPECT_EQ(json.at("unclear_races")[0].at("stacks").size(), 2U);
}

}  // namespace
}  // namespace ravel

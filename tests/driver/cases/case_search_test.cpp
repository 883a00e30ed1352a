// SPDX-License-Identifier: Apache-2.0
// How a budget is shared, what becomes of a case, and what all cases are together.
#include "driver/cases/case_search.h"

#include <gtest/gtest.h>

namespace ravel {
namespace {

using std::chrono::seconds;

ExploredCase explored(const std::string& name, std::uint64_t executions) {
  ExploredCase one;
  one.name = name;
  one.end.result.executions = executions;
  one.end.result.distinct_orders = executions;
  one.end.result.verified_deterministic = true;
  one.end.result.unseen_probability = 0.25;
  return one;
}

ExploredCase failed(const std::string& name, FindingKind kind) {
  ExploredCase one = explored(name, 3);
  ReportedFinding finding;
  finding.id = 1;
  finding.finding.kind = kind;
  one.end.result.findings.push_back(finding);
  return one;
}

TEST(Shares, AreEqualPartsOfWhatIsLeft) {
  EXPECT_EQ(share_of(std::uint64_t{1000}, 4), 250U);
  EXPECT_EQ(share_of(std::uint64_t{1000}, 1), 1000U);
  EXPECT_EQ(share_of(std::uint64_t{2}, 4), 1U) << "every case is run";
  EXPECT_EQ(share_of(std::uint64_t{0}, 4), 1U);
  EXPECT_EQ(share_of(kNoLimit, 4), kNoLimit);
}

TEST(Shares, OfTimeEndBeforeTheDeadline) {
  const auto now = Deadline::Clock::now();
  const Deadline all = Deadline().before(now + seconds(100));
  EXPECT_LE(share_of(all, 4).end(), now + seconds(26));
  EXPECT_GE(share_of(all, 4).end(), now + seconds(20));
  EXPECT_LE(share_of(all, 1).end(), all.end());
  EXPECT_TRUE(share_of(Deadline().before(now), 3).has_come());
  EXPECT_EQ(share_of(Deadline(), 3).end(), Deadline::Clock::time_point::max());
}

TEST(Verdicts, SayWhatBecameOfACase) {
  EXPECT_EQ(explored("a", 10).verdict(), CaseVerdict::passed);
  EXPECT_EQ(failed("a", FindingKind::deadlock).verdict(), CaseVerdict::failed);
  ExploredCase one = explored("a", 1);
  one.end.result.without_tasks = true;
  EXPECT_EQ(one.verdict(), CaseVerdict::no_threads);
  one.end.trouble = Status::trouble("it cannot be started", "");
  EXPECT_EQ(one.verdict(), CaseVerdict::no_verdict);
  EXPECT_EQ(one.why_no_verdict(), "it cannot be started");
}

TEST(Verdicts, NeedAnExecutionThatCameToItsEnd) {
  ExploredCase one = explored("a", 0);
  EXPECT_EQ(one.verdict(), CaseVerdict::no_verdict);
  EXPECT_NE(one.why_no_verdict().find("share of the time"), std::string::npos);
  one.interrupted = true;
  EXPECT_NE(one.why_no_verdict().find("interrupted"), std::string::npos);
  one = explored("a", 5);
  one.end.result.cut = 5;
  EXPECT_EQ(one.verdict(), CaseVerdict::no_verdict);
  EXPECT_NE(one.why_no_verdict().find("--max-steps"), std::string::npos);
  one = explored("a", 5);
  one.end.internal_error = "broken";
  EXPECT_EQ(one.verdict(), CaseVerdict::no_verdict);
}

TEST(Sums, AddUpAndKeepEveryFinding) {
  CaseSearch search;
  search.explored = {explored("a", 10), failed("b", FindingKind::deadlock), failed("c", FindingKind::assertion)};
  const CampaignEnd sum = sum_of(search, CampaignOptions());
  EXPECT_EQ(sum.result.executions, 16U);
  EXPECT_EQ(sum.result.distinct_orders, 16U);
  EXPECT_EQ(sum.result.findings.size(), 2U);
  EXPECT_EQ(sum.result.unseen_probability, 0.25);
  EXPECT_TRUE(sum.result.verified_deterministic);
  EXPECT_TRUE(sum.trouble.is_ok());
}

TEST(Sums, AreCompleteWhenEveryCaseIs) {
  CaseSearch search;
  search.explored = {explored("a", 10), explored("b", 1)};
  search.explored[1].end.result.without_tasks = true;
  EXPECT_FALSE(sum_of(search, CampaignOptions()).result.complete);
  search.explored[0].end.result.complete = true;
  EXPECT_TRUE(sum_of(search, CampaignOptions()).result.complete);
  search.left = 1;
  EXPECT_FALSE(sum_of(search, CampaignOptions()).result.complete);
  search.explored.erase(search.explored.begin());
  search.left = 0;
  EXPECT_FALSE(sum_of(search, CampaignOptions()).result.complete) << "nothing was searched";
}

TEST(Sums, NameTheCaseOfANoteUnlessSeveralHaveIt) {
  CaseSearch search;
  search.explored = {explored("a", 10), explored("b", 10)};
  search.explored[0].end.result.notes = {"of all", "of one"};
  search.explored[1].end.result.notes = {"of all"};
  EXPECT_EQ(sum_of(search, CampaignOptions()).result.notes, (std::vector<std::string>{"of all", "a: of one"}));
  search.explored.pop_back();
  EXPECT_EQ(sum_of(search, CampaignOptions()).result.notes, (std::vector<std::string>{"of all", "of one"}));
}

TEST(Sums, SayWhichCasesHaveNoVerdict) {
  CaseSearch search;
  search.explored = {explored("a", 10), explored("b", 0)};
  const Status trouble = sum_of(search, CampaignOptions()).trouble;
  EXPECT_EQ(trouble.what(), "1 case has no verdict");
  EXPECT_TRUE(trouble.advice().starts_with("b: no execution came to its end")) << trouble.advice();
  search.left = 2;
  EXPECT_EQ(sum_of(search, CampaignOptions()).trouble.what(), "2 cases were not explored: the time was up");
}

}  // namespace
}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
#include "reports/finding_groups.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace ravel {
namespace {

ReportedFinding finding(FindingKind kind, std::uint64_t execution = 1) {
  ReportedFinding one;
  one.finding.kind = kind;
  one.first_execution = execution;
  return one;
}

// Two tasks in these functions use this variable.
ReportedFinding about(FindingKind kind, const std::string& variable, const std::vector<std::string>& functions) {
  ReportedFinding one = finding(kind);
  one.finding.memory.variable = variable;
  for (const std::string& function : functions) {
    Frame frame;
    frame.function = function;
    frame.line = 1;
    one.finding.stacks.emplace_back().frames = {frame};
  }
  return one;
}

TEST(FindingGroups, FailuresComeFirst) {
  const auto groups = group_findings(
      {finding(FindingKind::leak_of_lock, 1), finding(FindingKind::data_race, 2), finding(FindingKind::deadlock, 3)});
  ASSERT_EQ(groups.size(), 3U);
  EXPECT_EQ(groups[0].first, 2U);
  EXPECT_EQ(groups[1].first, 1U);
  EXPECT_EQ(groups[2].first, 0U);
}

TEST(FindingGroups, WhatIsAboutOneVariableHasOneCause) {
  const auto groups = group_findings({about(FindingKind::data_race, "head", {"push", "pop"}),
                                      about(FindingKind::data_race, "size", {"grow", "clear"}),
                                      about(FindingKind::use_after_free, "head", {"pop"})});
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(groups[0].first, 2U);
  EXPECT_EQ(groups[0].others, std::vector<std::size_t>{0});
  EXPECT_EQ(groups[1].first, 1U);
}

TEST(FindingGroups, RacesOfTheSameTwoFunctionsHaveOneCause) {
  const auto groups = group_findings({about(FindingKind::data_race, "a", {"put", "get"}),
                                      about(FindingKind::data_race, "b", {"get", "put"}),
                                      about(FindingKind::data_race, "c", {"put", "close"})});
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(groups[0].others, std::vector<std::size_t>{1});
}

// An assertion whose explanation marks an access to this object as one that decides.
ReportedFinding failed_because_of(const std::string& object, Weight weight) {
  ReportedFinding one = finding(FindingKind::assertion);
  ExplainedStep step;
  step.object = object;
  step.weight = weight;
  one.explanation.emplace().steps = {step};
  return one;
}

TEST(FindingGroups, TheRaceThatMadeTheProgramFailComesFirst) {
  const ReportedFinding race = about(FindingKind::data_race, "bank::savings", {"put", "get"});
  const auto groups =
      group_findings({finding(FindingKind::deadlock), failed_because_of("bank::savings.balance", Weight::cause), race});
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(groups[1].first, 2U);
  EXPECT_EQ(groups[1].others, std::vector<std::size_t>{1});
}

TEST(FindingGroups, ARaceThatDecidesNothingComesAfterTheFailure) {
  const ReportedFinding race = about(FindingKind::data_race, "bank::savings", {"put", "get"});
  for (const ReportedFinding& failure :
       {failed_because_of("bank::savings.balance", Weight::shared),
        failed_because_of("bank::savings_total", Weight::cause), finding(FindingKind::assertion)}) {
    const auto groups = group_findings({race, failure});
    ASSERT_EQ(groups.size(), 2U);
    EXPECT_EQ(groups[0].first, 1U);
  }
}

TEST(FindingGroups, AnExitCodeGoesWithTheFailureOfItsExecution) {
  const std::vector<ReportedFinding> together = {finding(FindingKind::exit_code, 7),
                                                 finding(FindingKind::assertion, 7)};
  EXPECT_EQ(group_findings(together).size(), 1U);
  EXPECT_EQ(group_findings(together)[0].first, 1U);
  const std::vector<ReportedFinding> apart = {finding(FindingKind::exit_code, 7), finding(FindingKind::assertion, 8)};
  EXPECT_EQ(group_findings(apart).size(), 2U);
  // A race need not be what made the program fail.
  EXPECT_EQ(group_findings({finding(FindingKind::exit_code, 7), finding(FindingKind::data_race, 7)}).size(), 2U);
}

}  // namespace
}  // namespace ravel

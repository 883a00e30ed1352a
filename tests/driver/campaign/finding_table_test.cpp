// SPDX-License-Identifier: Apache-2.0
#include "driver/campaign/finding_table.h"

#include <gtest/gtest.h>

namespace ravel {
namespace {

ReportedFinding finding(std::uint32_t id, const std::string& signature) {
  ReportedFinding result;
  result.id = id;
  result.finding.signature = signature;
  return result;
}

TEST(FindingTable, OnlyTheFirstClaimOfASignatureIsNew) {
  FindingTable table;
  EXPECT_TRUE(table.claim("a"));
  EXPECT_FALSE(table.claim("a"));
  EXPECT_TRUE(table.claim("b"));
}

TEST(FindingTable, CountsExecutionsAlsoThoseBeforePublication) {
  FindingTable table;
  table.claim("a");
  table.claim("a");
  table.publish(finding(table.next_id(), "a"));
  table.claim("a");
  const auto findings = table.take();
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].count, 3U);
}

TEST(FindingTable, ANumberThatIsGivenBackIsUsedAgain) {
  FindingTable table;
  EXPECT_EQ(table.next_id(), 1U);
  EXPECT_EQ(table.next_id(), 2U);
  table.give_back_id(1);
  EXPECT_EQ(table.next_id(), 1U);
  EXPECT_EQ(table.next_id(), 3U);
}

TEST(FindingTable, GivesFindingsInOrderOfTheirNumbers) {
  FindingTable table;
  table.claim("a");
  table.claim("b");
  const std::uint32_t a = table.next_id();
  const std::uint32_t b = table.next_id();
  table.publish(finding(b, "b"));
  table.publish(finding(a, "a"));
  const auto findings = table.take();
  EXPECT_EQ(findings[0].finding.signature, "a");
  EXPECT_EQ(findings[1].finding.signature, "b");
}

}  // namespace
}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
// A cycle of locks in words.
#include "reports/potential_deadlock.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "reports/json_report.h"
#include "reports/text_report.h"
#include "tests/reports/golden.h"
#include "tests/reports/table_symbols.h"

namespace ravel {
namespace {

class PotentialDeadlockTest : public ::testing::Test {
 protected:
  PotentialDeadlockTest() {
    const std::uint64_t accounts = symbols_.add_global("accounts", 64);
    const std::uint64_t ledger = symbols_.add_global("ledger", 40);
    edges_[0].task = 1;
    edges_[0].held = accounts;
    edges_[0].wanted = ledger;
    edges_[0].held_pc[0] = symbols_.add({frame("bank::pay()", "bank.cpp", 11)});
    edges_[0].wanted_pc[0] =
        symbols_.add({frame("bank::write(int)", "bank.cpp", 30), frame("bank::pay()", "bank.cpp", 12)});
    edges_[1].task = 2;
    edges_[1].held = ledger;
    edges_[1].wanted = accounts;
    edges_[1].gate[0] = 0x900000 | 1;
    edges_[1].held_pc[0] = symbols_.add({frame("bank::audit()", "audit.cpp", 7)});
    edges_[1].wanted_pc[0] = symbols_.add({frame("bank::audit()", "audit.cpp", 9)});
    tasks_.resize(3);
    tasks_[1].creator = 0;
    tasks_[1].create_pc = symbols_.add({frame("main", "main.cpp", 20)});
    tasks_[2] = tasks_[1];
    std::snprintf(tasks_[2].name, sizeof tasks_[2].name, "auditor");
  }

  TableSymbols symbols_;
  LockEdge edges_[2];
  std::vector<TaskRecord> tasks_;
};

TEST_F(PotentialDeadlockTest, HasBothChains) {
  const PotentialDeadlock words = resolve_cycle(edges_, tasks_, symbols_);
  ASSERT_EQ(words.chains.size(), 2U);
  EXPECT_EQ(words.chains[0].task, 1U);
  EXPECT_EQ(words.chains[0].object, "ledger");
  EXPECT_EQ(words.chains[0].holder, 2U);
  ASSERT_EQ(words.chains[0].held.size(), 1U);
  EXPECT_EQ(words.chains[0].held[0].object, "accounts");
  EXPECT_EQ(words.chains[0].frames.front().line, 30U);
  ASSERT_EQ(words.chains[1].held.size(), 2U) << "the other lock that it holds";
  EXPECT_EQ(words.chains[1].held[0].object, "ledger");
  EXPECT_EQ(words.signature.size(), 16U);
}

TEST_F(PotentialDeadlockTest, SignatureIsThatOfTheCode) {
  const PotentialDeadlock first = resolve_cycle(edges_, tasks_, symbols_);
  std::swap(edges_[0], edges_[1]);
  std::swap(edges_[0].task, edges_[1].task);
  EXPECT_EQ(resolve_cycle(edges_, tasks_, symbols_).signature, first.signature);
}

TEST_F(PotentialDeadlockTest, LooksLikeItsGoldenFile) {
  CampaignResult result;
  result.executions = 300;
  result.seconds = 0.5;
  result.distinct_orders = 9;
  result.unseen_probability = 0.02;
  result.potential_deadlocks.push_back(resolve_cycle(edges_, tasks_, symbols_));
  result.potential_deadlocks[0].first_execution = 2;
  result.potential_deadlocks[0].steered = 48;
  expect_golden("report-potential-deadlock.txt", text_report(result));
}

TEST_F(PotentialDeadlockTest, IsInTheJsonSummary) {
  CampaignResult result;
  EXPECT_TRUE(nlohmann::json::parse(json_report(result)).at("potential_deadlocks").empty());
  result.potential_deadlocks.push_back(resolve_cycle(edges_, tasks_, symbols_));
  const auto json = nlohmann::json::parse(json_report(result));
  const auto& told = json.at("potential_deadlocks").at(0);
  EXPECT_EQ(told.at("chains").size(), 2U);
  EXPECT_EQ(told.at("chains").at(0).at("object"), "ledger");
  EXPECT_EQ(told.at("chains").at(1).at("held").at(0).at("object"), "ledger");
  EXPECT_EQ(told.at("steered"), 0);
  EXPECT_TRUE(json.at("findings").empty()) << "it is not a finding";
}

}  // namespace
}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
// The list of decisions as the driver finds it, however long it grows.
#include "runtime/recorder/decision_log.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

namespace ravel {
namespace {

class DecisionLogTest : public ::testing::Test {
 protected:
  void SetUp() override {
    void* const memory =
        mmap(nullptr, sizeof(Channel), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    ASSERT_NE(memory, MAP_FAILED);
    channel_ = static_cast<Channel*>(memory);
    log_.begin(*channel_);
  }
  void TearDown() override { munmap(channel_, sizeof(Channel)); }

  Channel* channel_ = nullptr;
  DecisionLog log_;
};

TEST_F(DecisionLogTest, StepsOfOneTaskInARowAreOneEntry) {
  for (const TaskId task : {3U, 3U, 3U, 1U}) log_.record_task(task);
  ASSERT_EQ(channel_->result.summary.decision_runs, 2U);
  EXPECT_EQ(channel_->result.decision[0].value, 3U);
  EXPECT_EQ(channel_->result.decision[0].count, 3U);
  EXPECT_EQ(channel_->result.decision[1].value, 1U);
}

TEST_F(DecisionLogTest, ARunEndsAtAnotherKindOfDecision) {
  log_.record_task(3);
  log_.record_environment(EnvironmentKind::spurious_wakeup, 1);
  log_.record_task(3);
  EXPECT_EQ(channel_->result.summary.decision_runs, 3U);
}

TEST_F(DecisionLogTest, IsCompleteToItsEndAndSaysWhenItIsFull) {
  for (std::uint32_t i = 0; i < kMaxDecisionRuns; ++i) log_.record_task(i % 7);
  ASSERT_EQ(channel_->result.summary.decision_runs, kMaxDecisionRuns);
  EXPECT_EQ(channel_->result.summary.decision_log_full, 0U);
  for (std::uint32_t i = 0; i < kMaxDecisionRuns; ++i) {
    ASSERT_EQ(channel_->result.decision[i].value, i % 7);
    ASSERT_EQ(channel_->result.decision[i].count, 1U);
  }
  log_.record_task(1'000);
  EXPECT_EQ(channel_->result.summary.decision_runs, kMaxDecisionRuns);
  EXPECT_EQ(channel_->result.summary.decision_log_full, 1U);
}

}  // namespace
}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
#include "driver/replay/replay.h"

#include <string>

#include <gtest/gtest.h>

#include "elf/elf_file.h"

namespace ravel {
namespace {

constexpr const char* kFakeTarget = RAVEL_BINARY_DIR "/tests/fake_target";

// What the fake target does in every execution: four steps of two tasks, at addresses in no file.
Schedule four_steps(const std::string& mode, FindingKind finding) {
  Schedule schedule;
  schedule.program = {"fake_target", mode};
  schedule.modules = {{kFakeTarget, build_id_of(kFakeTarget)}, {"[no file]", ""}};
  schedule.finding = finding;
  schedule.execution = 6;
  for (std::uint32_t i = 0; i < 4; ++i) {
    schedule.decisions.push_back({DecisionKind::task, {}, 0, i % 2, 1});
    schedule.operations.push_back({i % 2, OperationKind::mutex_lock, {1, 0x1000 + i + (i == 3 ? 1 : 0)}});
  }
  return schedule;
}

Replay replay_of(Schedule schedule, std::chrono::nanoseconds timeout = std::chrono::seconds(10)) {
  TargetSettings settings;
  settings.executable = kFakeTarget;
  settings.arguments = schedule.program;
  settings.runtime = "/nonexistent/libravel.so";
  settings.launch = schedule.launch;
  settings.timeout = timeout;
  return Replay(std::move(schedule), settings, "somewhere/12-deadlock.ravel");
}

TEST(Replay, BringsTheFindingBack) {
  Replay replay = replay_of(four_steps("fails", FindingKind::deadlock));
  EXPECT_TRUE(replay.warnings().empty());
  for (int i = 0; i < 2; ++i) {
    const auto run = replay.run(true);
    ASSERT_TRUE(run.is_ok());
    ASSERT_TRUE(run.value().finding.has_value());
    EXPECT_EQ(run.value().divergence, "");
    EXPECT_EQ(run.value().finding->id, 12U);
    EXPECT_EQ(run.value().finding->first_execution, 7U);
    EXPECT_EQ(run.value().steps.size(), 4U);
  }
}

TEST(Replay, NamesTheFirstStepThatDiffers) {
  Schedule schedule = four_steps("", FindingKind::deadlock);
  schedule.operations[2].kind = OperationKind::mutex_unlock;
  Replay replay = replay_of(std::move(schedule));
  const auto run = replay.run(false);
  ASSERT_TRUE(run.is_ok());
  EXPECT_FALSE(run.value().finding.has_value());
  EXPECT_NE(run.value().divergence.find("diverged at step 3: the schedule has T0 unlock"), std::string::npos)
      << run.value().divergence;
  EXPECT_NE(run.value().divergence.find("the program did T0 lock"), std::string::npos) << run.value().divergence;
}

TEST(Replay, SaysWhatWasFoundInstead) {
  Replay replay = replay_of(four_steps("fails", FindingKind::assertion));
  const auto run = replay.run(false);
  ASSERT_TRUE(run.is_ok());
  EXPECT_FALSE(run.value().finding.has_value());
  ASSERT_EQ(run.value().others.size(), 1U);
  EXPECT_FALSE(run.value().others[0].replayed);  // a different finding than the schedule's
}

TEST(Replay, WarnsOfARebuiltProgram) {
  Schedule schedule = four_steps("fails", FindingKind::deadlock);
  schedule.modules[0].build_id = "0000";
  Replay replay = replay_of(std::move(schedule));
  ASSERT_EQ(replay.warnings().size(), 1U);
  EXPECT_NE(replay.warnings()[0].find("rebuilt"), std::string::npos);
  const auto run = replay.run(false);
  ASSERT_TRUE(run.is_ok());
  EXPECT_TRUE(run.value().finding.has_value());
}

TEST(Replay, AProgramThatNeverCreatesATaskIsTrouble) {
  Replay replay = replay_of(four_steps("slow-start", FindingKind::deadlock), std::chrono::milliseconds(200));
  EXPECT_FALSE(replay.run(false).is_ok());
}

}  // namespace
}  // namespace ravel

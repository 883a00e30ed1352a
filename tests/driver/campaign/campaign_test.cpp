// SPDX-License-Identifier: Apache-2.0
// Campaigns on the fake target: budgets, deduplication, confirmation by replay, restarts, verification.
#include "driver/campaign/campaign.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "strategies/follow.h"
#include "trace/schedule_reader.h"

namespace ravel {
namespace {

using std::chrono::milliseconds;

class Listener final : public CampaignObserver {
 public:
  void on_progress(const CampaignProgress& progress) override {
    last_ = progress;
    ++calls_;
  }
  void on_finding(const ReportedFinding& finding) override { findings_.push_back(finding); }

  CampaignProgress last_;
  int calls_ = 0;
  std::vector<ReportedFinding> findings_;
};

class CampaignTest : public testing::Test {
 protected:
  CampaignTest() {
    const testing::TestInfo* const info = testing::UnitTest::GetInstance()->current_test_info();
    directory_ = testing::TempDir() + "ravel-campaign-" + info->name() + "-" + std::to_string(::getpid());
    options_.target.executable = RAVEL_BINARY_DIR "/tests/fake_target";
    options_.target.runtime = "/nonexistent/libravel.so";
    options_.executions = 20;
    options_.strategy = "random";
    options_.out = directory_;
    options_.target.timeout = std::chrono::seconds(20);
  }
  ~CampaignTest() override { std::filesystem::remove_all(directory_); }

  CampaignEnd run(const std::string& mode) {
    options_.target.arguments = {"fake_target", mode};
    return Campaign(options_, listener_).run();
  }

  static bool has_note(const CampaignEnd& end, const std::string& part) {
    for (const std::string& note : end.result.notes) {
      if (note.find(part) != std::string::npos) return true;
    }
    return false;
  }

  CampaignOptions options_;
  Listener listener_;
  std::string directory_;
};

TEST_F(CampaignTest, UsesItsWholeBudgetWhenNothingIsFound) {
  const CampaignEnd end = run("");
  EXPECT_TRUE(end.trouble.is_ok());
  EXPECT_EQ(end.result.executions, 20U);
  EXPECT_EQ(end.result.steps, 20U * 4);
  EXPECT_EQ(end.result.distinct_orders, 1U);
  EXPECT_TRUE(end.result.verified_deterministic);
  EXPECT_TRUE(end.result.instrumented);
  EXPECT_TRUE(end.result.findings.empty());
  EXPECT_EQ(listener_.calls_, 20);
}

// A planner that has no name, and code locations that are known before anything has run.
TEST_F(CampaignTest, TakesAPlannerAndFirstSites) {
  Recording recording;
  recording.threads = {{kNoTask, 0}, {0, 0}};
  recording.events = {{1, 0, OperationKind::write, 0x10, 1}, {2, 1, OperationKind::write, 0x20, 1}};
  options_.strategy = "follow";
  options_.planner = [&] { return make_follow_planner(recording, 1); };
  options_.first_sites = {0x10, 0x20};
  const CampaignEnd end = run("fails");
  EXPECT_TRUE(end.trouble.is_ok()) << end.trouble.what();
  EXPECT_EQ(end.result.strategy, "follow");
  ASSERT_EQ(listener_.findings_.size(), 1U);
  const auto schedule = read_schedule(listener_.findings_[0].schedule_path);
  ASSERT_TRUE(schedule.is_ok());
  EXPECT_EQ(schedule.value().campaign_strategy, "follow");
  EXPECT_EQ(schedule.value().plan.strategy, StrategyKind::follow);
  EXPECT_EQ(schedule.value().sites.size(), 2U);
}

// Of 20 executions every fifth has depth 1; those with unusual events or older stores do not count.
TEST_F(CampaignTest, TellsWhatPctPromises) {
  options_.strategy = "pct";
  const CampaignEnd end = run("");
  ASSERT_FALSE(end.result.coverage.pct.empty());
  std::uint64_t counted = 0;
  for (const PctBound& bound : end.result.coverage.pct) {
    EXPECT_GE(bound.depth, 1U);
    EXPECT_LE(bound.depth, 5U);
    EXPECT_LE(bound.executions, 4U);
    EXPECT_GT(bound.found_probability, 0.0);
    EXPECT_EQ(bound.steps, bound.depth == 1 ? 0U : 4U) << "executions of the fake target have four steps";
    counted += bound.executions;
  }
  EXPECT_LT(counted, 20U);
}

TEST_F(CampaignTest, OtherStrategiesPromiseNothingOfTheKind) { EXPECT_TRUE(run("").result.coverage.pct.empty()); }

TEST_F(CampaignTest, SuppressedFindingsAreCountedAndDoNotStopIt) {
  std::filesystem::create_directories(directory_);
  const std::string file = directory_ + "/tsan.supp";
  std::ofstream(file) << "race:*\n# the fake target's\ndeadlock:*\n";
  auto suppressions = Suppressions::load({{file, false}}, "");
  ASSERT_TRUE(suppressions.is_ok());
  options_.suppressions = suppressions.value();
  const CampaignEnd end = run("fails-somewhere");
  EXPECT_EQ(end.result.executions, 20U);
  EXPECT_TRUE(end.result.findings.empty());
  EXPECT_TRUE(listener_.findings_.empty());
  ASSERT_EQ(end.result.suppressed.size(), 1U);
  EXPECT_EQ(end.result.suppressed[0].rule, "deadlock:*");
  EXPECT_EQ(end.result.suppressed[0].line, 3U);
  EXPECT_EQ(end.result.suppressed[0].findings, 1U);
  EXPECT_TRUE(has_note(end, "1 finding was suppressed by " + file + ": deadlock:* (1)"));
}

TEST_F(CampaignTest, StopsAtTheFirstFindingAndSavesItsSchedule) {
  const CampaignEnd end = run("fails");
  EXPECT_EQ(end.result.executions, 1U);
  ASSERT_EQ(end.result.findings.size(), 1U);
  const ReportedFinding& finding = end.result.findings[0];
  EXPECT_EQ(finding.id, 1U);
  EXPECT_EQ(finding.first_execution, 1U);
  EXPECT_TRUE(finding.replayed);
  EXPECT_EQ(finding.schedule_path, directory_ + "/1-deadlock.ravel");
  const auto schedule = read_schedule(finding.schedule_path);
  ASSERT_TRUE(schedule.is_ok()) << schedule.status().what();
  EXPECT_EQ(schedule.value().finding, FindingKind::deadlock);
  EXPECT_EQ(schedule.value().steps, 4U);
  EXPECT_EQ(schedule.value().operations.size(), 4U);
  EXPECT_EQ(schedule.value().program, options_.target.arguments);
  ASSERT_EQ(listener_.findings_.size(), 1U);
}

TEST_F(CampaignTest, CountsAFindingThatComesAgainOnce) {
  options_.keep_going = true;
  const CampaignEnd end = run("fails");
  EXPECT_EQ(end.result.executions, 20U);
  ASSERT_EQ(end.result.findings.size(), 1U);
  EXPECT_EQ(end.result.findings[0].count, 20U);
}

TEST_F(CampaignTest, KeepsFindingsOfDifferentKindsApart) {
  options_.keep_going = true;
  options_.verify = false;
  const CampaignEnd end = run("two-kinds");
  EXPECT_EQ(end.result.findings.size(), 2U);
}

TEST_F(CampaignTest, GoesOnUntilTheExpectedKind) {
  options_.expect = FindingKind::lost_wakeup;
  const CampaignEnd never = run("fails");
  EXPECT_EQ(never.result.executions, 20U);
  options_.expect = FindingKind::deadlock;
  const CampaignEnd at_once = run("fails");
  EXPECT_EQ(at_once.result.executions, 1U);
}

// The fake target fails in its seventh execution and never again, so the replay cannot show it.
TEST_F(CampaignTest, SaysThatAFindingDidNotReplay) {
  options_.verify = false;
  const CampaignEnd end = run("seventh-fails");
  EXPECT_EQ(end.result.executions, 7U);
  ASSERT_EQ(end.result.findings.size(), 1U);
  EXPECT_FALSE(end.result.findings[0].replayed);
  EXPECT_TRUE(has_note(end, "did not replay"));
  EXPECT_EQ(end.result.findings[0].first_execution, 7U);
}

TEST_F(CampaignTest, AHangThatLooksDifferentInItsReplayIsStillFound) {
  options_.verify = false;
  options_.executions = 1;
  options_.target.timeout = milliseconds(300);
  const CampaignEnd end = run("hang-differently");
  ASSERT_EQ(end.result.findings.size(), 1U);
  EXPECT_EQ(end.result.findings[0].finding.kind, FindingKind::timeout);
  EXPECT_FALSE(end.result.findings[0].replayed);
}

// The second execution hangs, its replay (the third) does not: a slow machine, which is not a finding.
TEST_F(CampaignTest, ATimeoutThatEndsInItsReplayIsOnlyNoted) {
  options_.verify = false;
  options_.executions = 2;
  options_.target.timeout = milliseconds(500);
  const CampaignEnd end = run("hang-second");
  EXPECT_TRUE(end.result.findings.empty());
  EXPECT_TRUE(has_note(end, "took longer than 500ms"));
}

TEST_F(CampaignTest, NamesTheFirstStepThatIsNotDeterministic) {
  const CampaignEnd end = run("random");
  EXPECT_FALSE(end.result.verified_deterministic);
  EXPECT_TRUE(has_note(end, "step 4")) << testing::PrintToString(end.result.notes);
  EXPECT_EQ(end.result.executions, 20U);
}

TEST_F(CampaignTest, StartsTheTargetAgainWhenItDies) {
  const CampaignEnd end = run("kill-server");
  EXPECT_EQ(end.result.executions, 3U);
  EXPECT_FALSE(end.trouble.is_ok());
}

TEST_F(CampaignTest, StartsTheProgramForEveryExecutionWhenItCannotFork) {
  options_.keep_going = true;
  options_.executions = 3;
  const CampaignEnd end = run("single");
  EXPECT_EQ(end.result.executions, 3U);
  ASSERT_EQ(end.result.findings.size(), 1U);
  EXPECT_EQ(end.result.findings[0].count, 3U);
  EXPECT_TRUE(end.result.findings[0].replayed);
  EXPECT_TRUE(has_note(end, "restarted for every execution"));
}

TEST_F(CampaignTest, StartsAgainWithEnoughIdentities) {
  options_.executions = 3;
  options_.keep_going = true;
  const CampaignEnd end = run("many-tasks");
  EXPECT_EQ(end.result.executions, 3U);
  EXPECT_TRUE(end.trouble.is_ok());
}

TEST_F(CampaignTest, AProgramWithoutTasksIsOneExecution) {
  const CampaignEnd quiet = run("no-tasks");
  EXPECT_EQ(quiet.result.executions, 1U);
  EXPECT_TRUE(quiet.result.findings.empty());
  EXPECT_TRUE(has_note(quiet, "never created a thread"));
}

TEST_F(CampaignTest, AFindingWithoutTasksIsRunAgainBeforeItIsCalledReplayed) {
  options_.target.arguments = {"fake_target", "no-tasks", "4"};
  const CampaignEnd always = Campaign(options_, listener_).run();
  ASSERT_EQ(always.result.findings.size(), 1U);
  EXPECT_EQ(always.result.findings[0].finding.kind, FindingKind::exit_code);
  EXPECT_TRUE(always.result.findings[0].replayed);

  options_.target.arguments = {"fake_target", "fails-without-tasks-once", directory_ + "/failed-before"};
  const CampaignEnd once = Campaign(options_, listener_).run();
  ASSERT_EQ(once.result.findings.size(), 1U);
  EXPECT_FALSE(once.result.findings[0].replayed);
}

TEST_F(CampaignTest, AStartThatNeverComesIsTrouble) {
  options_.target.timeout = milliseconds(200);
  const CampaignEnd end = run("slow-start");
  ASSERT_FALSE(end.trouble.is_ok());
  EXPECT_NE(end.trouble.what().find("did not create a thread within 200ms"), std::string::npos);
}

TEST_F(CampaignTest, CutExecutionsAreCountedAndSaid) {
  const CampaignEnd end = run("cut");
  EXPECT_TRUE(end.result.findings.empty());
  EXPECT_TRUE(has_note(end, "20 of 20 executions were cut"));
  EXPECT_EQ(end.result.cut, 20U);
  EXPECT_FALSE(end.result.has_verdict());
}

TEST_F(CampaignTest, OurOwnErrorSavesTheSchedule) {
  const CampaignEnd end = run("internal-error");
  EXPECT_EQ(end.internal_error, "a lock was lost");
  EXPECT_TRUE(read_schedule(end.internal_schedule).is_ok());
}

TEST_F(CampaignTest, WorkersShareTheBudget) {
  options_.jobs = 3;
  options_.executions = 60;
  const CampaignEnd end = run("");
  EXPECT_EQ(end.result.executions, 60U);
  EXPECT_TRUE(end.trouble.is_ok());
}

TEST_F(CampaignTest, SharedCodeLocationsReachEveryWorker) {
  options_.jobs = 2;
  const CampaignEnd end = run("sites");
  EXPECT_EQ(end.result.executions, 20U);
  EXPECT_TRUE(end.trouble.is_ok());
}

TEST_F(CampaignTest, StopsWhenTheTimeIsUp) {
  options_.executions = 1'000'000'000;
  options_.target.deadline = Deadline().within(milliseconds(300));
  const CampaignEnd end = run("");
  EXPECT_GT(end.result.executions, 0U);
  EXPECT_LT(end.result.seconds, 10.0);
}

TEST_F(CampaignTest, AnExecutionThatRunsWhenTheTimeIsUpIsCut) {
  options_.target.deadline = Deadline().within(milliseconds(300));
  const CampaignEnd end = run("hang");
  EXPECT_EQ(end.result.executions, 0U);
  EXPECT_FALSE(end.result.has_verdict());
  EXPECT_LT(end.result.seconds, 5.0) << "the limit of one execution is 20 s";
}

// The repetition that would confirm it hangs until the time is up.
TEST_F(CampaignTest, ReportsAFindingAsFarAsTheTimeAllowed) {
  options_.target.deadline = Deadline().within(milliseconds(1500));
  const CampaignEnd end = run("fails-then-hangs");
  ASSERT_EQ(end.result.findings.size(), 1U);
  const ReportedFinding& finding = end.result.findings[0];
  EXPECT_FALSE(finding.replayed);
  EXPECT_EQ(finding.unfinished, "not run again: the time was up");
  EXPECT_TRUE(read_schedule(finding.schedule_path).is_ok());
  EXPECT_FALSE(has_note(end, "did not come back")) << "nobody knows";
}

TEST_F(CampaignTest, SearchesALittleFurtherThanAnExitCode) {
  options_.verify = false;
  options_.shrink = false;
  const CampaignEnd end = run("exit-code-at-first");
  ASSERT_EQ(end.result.findings.size(), 2U);
  EXPECT_EQ(end.result.findings[0].finding.kind, FindingKind::exit_code);
  EXPECT_EQ(end.result.findings[1].finding.kind, FindingKind::deadlock);
  EXPECT_LT(end.result.executions, 20U) << "a deadlock is enough";
}

TEST_F(CampaignTest, AnAcceptedExitCodeIsNoFinding) {
  options_.target.ok_exits = {3};
  const CampaignEnd end = run("exit-code");
  EXPECT_EQ(end.result.executions, 20U);
  EXPECT_TRUE(end.result.findings.empty());
}

TEST_F(CampaignTest, ScheduleSaysWhichExitCodesAreAccepted) {
  options_.target.ok_exits = {3, 4};
  run("fails");
  const auto schedule = read_schedule(directory_ + "/1-deadlock.ravel");
  ASSERT_TRUE(schedule.is_ok());
  EXPECT_EQ(schedule.value().ok_exits, options_.target.ok_exits);
}

TEST_F(CampaignTest, KeepsTheFindingsOfTheCampaignBefore) {
  run("fails");
  run("fails");
  for (const char* const directory : {"run-1", "run-2", "latest"}) {
    EXPECT_TRUE(read_schedule(directory_ + "/" + directory + "/1-deadlock.ravel").is_ok()) << directory;
  }
}

TEST_F(CampaignTest, ADirectoryThatCannotBeMadeIsTrouble) {
  options_.out = "/proc/ravel";
  const CampaignEnd end = run("");
  EXPECT_FALSE(end.trouble.is_ok());
  EXPECT_EQ(end.result.executions, 0U);
}

}  // namespace
}  // namespace ravel

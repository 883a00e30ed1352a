// SPDX-License-Identifier: Apache-2.0
// What a target may do to its driver: die, hang, flood, never become ready. Each has one defined result, in bounded
// time.
#include "driver/target/target.h"

#include <fcntl.h>
#include <sys/wait.h>

#include <chrono>
#include <csignal>
#include <string>

#include <gtest/gtest.h>

#include "driver/target/execution_record.h"

namespace ravel {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TargetSettings settings(const std::string& mode, milliseconds timeout = seconds(20)) {
  TargetSettings result;
  result.executable = RAVEL_BINARY_DIR "/tests/fake_target";
  result.arguments = {"fake_target", mode};
  result.runtime = "/nonexistent/libravel.so";  // the loader reports it on stderr and continues
  result.timeout = timeout;
  return result;
}

std::unique_ptr<Target> started(const TargetSettings& wanted) {
  auto target = Target::start(wanted);
  EXPECT_TRUE(target.is_ok()) << target.status().what();
  return std::move(target.value());
}

// A target at its fork point.
std::unique_ptr<Target> arrived(const std::string& mode, milliseconds timeout = seconds(20)) {
  auto target = started(settings(mode, timeout));
  EXPECT_EQ(target->wait_for_arrival(), Arrival::forks);
  return target;
}

bool process_exists(pid_t pid) { return ::kill(pid, 0) == 0; }

TEST(Target, PerformsExecutionsOneAfterTheOther) {
  const auto target = arrived("hello");
  for (int i = 1; i <= 3; ++i) {
    ASSERT_EQ(target->execute({Plan{}}, 0), ExecutionEnd::ended);
    EXPECT_EQ(target->output().text(), "hello from execution " + std::to_string(i) + "\n");
    EXPECT_EQ(target->channel().result.summary.outcome, Outcome::ended);
  }
}

TEST(Target, HandsOverPlanAndPrefix) {
  const auto target = arrived("");
  Plan plan;
  plan.seed = 77;
  const std::vector<DecisionRun> prefix(3, DecisionRun{DecisionKind::task, {}, 0, 1, 5});
  target->execute({plan, prefix}, 0);
  EXPECT_EQ(target->channel().request.plan.seed, 77U);
  EXPECT_EQ(target->channel().request.prefix_runs, 3U);
  EXPECT_EQ(target->channel().request.prefix[2], prefix[2]);
}

TEST(Target, TellsThatTheProgramEndedWithoutTasks) {
  TargetSettings wanted = settings("no-tasks");
  wanted.arguments.emplace_back("42");
  const auto target = started(wanted);
  EXPECT_EQ(target->wait_for_arrival(), Arrival::ended);
  EXPECT_EQ(WEXITSTATUS(target->wait_status()), 42);
  EXPECT_FALSE(target->can_execute());
}

TEST(Target, TellsThatTheProgramDiedBeforeItsFirstTask) {
  const auto target = started(settings("dies-before-ready"));
  EXPECT_EQ(target->wait_for_arrival(), Arrival::ended);
  EXPECT_TRUE(WIFSIGNALED(target->wait_status()));
}

TEST(Target, TellsThatTheProgramReplacedItself) {
  const auto target = started(settings("replaces-itself"));
  EXPECT_EQ(target->wait_for_arrival(), Arrival::replaced);
  EXPECT_EQ(WEXITSTATUS(target->wait_status()), 5);
}

TEST(Target, GivesUpOnASlowStart) {
  const auto target = started(settings("slow-start", milliseconds(200)));
  EXPECT_EQ(target->wait_for_arrival(), Arrival::too_slow);
}

TEST(Target, PerformsItsOneExecutionWhenItCannotFork) {
  const auto target = started(settings("single"));
  EXPECT_EQ(target->wait_for_arrival(), Arrival::single);
  EXPECT_TRUE(target->can_execute());
  EXPECT_EQ(target->execute({Plan{}}, 0), ExecutionEnd::ended);
  EXPECT_EQ(WEXITSTATUS(target->wait_status()), 3);
  EXPECT_FALSE(target->can_execute());
}

TEST(Target, KillsAnExecutionThatTakesTooLongAndGoesOn) {
  const auto target = arrived("hang-second", milliseconds(300));
  EXPECT_EQ(target->execute({Plan{}}, 0), ExecutionEnd::ended);
  EXPECT_EQ(target->execute({Plan{}}, 0), ExecutionEnd::timed_out);
  EXPECT_TRUE(target->can_execute());
  EXPECT_EQ(target->execute({Plan{}}, 0), ExecutionEnd::ended);
}

TEST(Target, AsksAStuckExecutionWhereItIs) {
  const auto target = arrived("hang", milliseconds(200));
  EXPECT_EQ(target->execute({Plan{}}, 0), ExecutionEnd::timed_out);
  const auto findings = findings_of(*target, ExecutionEnd::timed_out, milliseconds(200));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_STREQ(findings[0].message, "T1 was still running when the time was up");
}

TEST(Target, ConcludesATimeoutWhenNobodyAnswers) {
  for (const char* const mode : {"hang-mute", "hang-deaf"}) {
    const auto target = arrived(mode, milliseconds(200));
    EXPECT_EQ(target->execute({Plan{}}, 0), ExecutionEnd::timed_out);
    const auto findings = findings_of(*target, ExecutionEnd::timed_out, milliseconds(200));
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_EQ(findings[0].kind, FindingKind::timeout);
    EXPECT_STREQ(findings[0].message, "the execution did not end within 200ms");
  }
}

TEST(Target, SurvivesTheDeathOfTheServer) {
  const auto target = arrived("kill-server");
  EXPECT_EQ(target->execute({Plan{}}, 0), ExecutionEnd::target_lost);
  EXPECT_FALSE(target->can_execute());
}

TEST(Target, SurvivesAServerThatHangs) {
  const auto target = arrived("server-hangs", milliseconds(300));
  EXPECT_EQ(target->execute({Plan{}}, 0), ExecutionEnd::ended);
  EXPECT_EQ(target->execute({Plan{}}, 0), ExecutionEnd::target_lost);
}

TEST(Target, KeepsBothEndsOfAGigabyteOfOutput) {
  const auto target = arrived("gigabyte", seconds(100));
  ASSERT_EQ(target->execute({Plan{}}, 0), ExecutionEnd::ended);
  const std::string text = target->output().text();
  EXPECT_EQ(target->output().total_bytes(), (1ULL << 30) + 12);
  EXPECT_LT(text.size(), OutputCapture::kHeadBytes + OutputCapture::kTailBytes + 100);
  EXPECT_TRUE(text.starts_with("first\n"));
  EXPECT_TRUE(text.ends_with("\nlast\n"));
}

TEST(Target, StopsAFloodOfOutputAtTheTimeout) {
  const auto target = arrived("flood", milliseconds(300));
  EXPECT_EQ(target->execute({Plan{}}, 0), ExecutionEnd::timed_out);
  EXPECT_EQ(target->execute({Plan{}}, 0), ExecutionEnd::timed_out);
}

TEST(Target, ClassifiesDeaths) {
  const auto only_finding = [](const char* mode) {
    const auto target = arrived(mode);
    const ExecutionEnd end = target->execute({Plan{}}, 0);
    const auto findings = findings_of(*target, end, seconds(1));
    EXPECT_EQ(findings.size(), 1U) << mode;
    return findings.empty() ? FindingRecord{} : findings[0];
  };
  const FindingRecord crash = only_finding("crash");
  EXPECT_EQ(crash.kind, FindingKind::signal);
  EXPECT_EQ(crash.signal_number, SIGSEGV);
  EXPECT_STREQ(crash.message, "the program was killed by signal 11 (SIGSEGV)");
  EXPECT_EQ(only_finding("abort").kind, FindingKind::abort);
  const FindingRecord code = only_finding("exit-code");
  EXPECT_EQ(code.kind, FindingKind::exit_code);
  EXPECT_STREQ(code.message, "the program ended with exit code 3");
}

TEST(Target, CutExecutionsAreNoFindings) {
  const auto target = arrived("cut");
  EXPECT_EQ(target->execute({Plan{}}, 0), ExecutionEnd::ended);
  EXPECT_TRUE(findings_of(*target, ExecutionEnd::ended, seconds(1)).empty());
}

TEST(Target, LeavesNoProcessBehind) {
  pid_t server = -1;
  {
    const auto target = arrived("hang", milliseconds(100));
    server = target->channel().launch.server_pid;
    EXPECT_TRUE(process_exists(server));
    target->execute({Plan{}}, 0);
  }
  EXPECT_FALSE(process_exists(server));
}

TEST(Target, EndsEarlyWhenInterrupted) {
  std::atomic<bool> interrupted{true};
  TargetSettings wanted = settings("hang");
  wanted.deadline = Deadline(interrupted);
  const auto target = started(wanted);
  EXPECT_EQ(target->wait_for_arrival(), Arrival::cut);
}

TEST(Target, SaysWhichFileCannotBeStarted) {
  TargetSettings wanted = settings("");
  wanted.executable = "/nonexistent/program";
  const auto target = Target::start(wanted);
  ASSERT_FALSE(target.is_ok());
  EXPECT_NE(target.status().what().find("/nonexistent/program"), std::string::npos);
}

TEST(Target, EveryExecutionReadsTheInputFromItsStart) {
  char path[] = "/tmp/ravel-input-XXXXXX";
  const FileDescriptor file(::mkstemp(path));
  ASSERT_EQ(::write(file.get(), "abc", 3), 3);
  ::lseek(file.get(), 1, SEEK_SET);
  auto input = StandardInput::take(file.get());
  ASSERT_TRUE(input.is_ok());
  TargetSettings wanted = settings("reads");
  wanted.input = &input.value();
  const auto target = started(wanted);
  ASSERT_EQ(target->wait_for_arrival(), Arrival::forks);
  for (int i = 0; i < 2; ++i) {
    target->execute({Plan{}}, 0);
    EXPECT_EQ(target->output().text(), "read 2: bc\n");
  }
  ::unlink(path);
}

TEST(StandardInput, APipeIsCopied) {
  int pipes[2];
  ASSERT_EQ(::pipe(pipes), 0);
  ASSERT_EQ(::write(pipes[1], "text", 4), 4);
  ::close(pipes[1]);
  auto input = StandardInput::take(pipes[0]);
  ::close(pipes[0]);
  ASSERT_TRUE(input.is_ok());
  EXPECT_EQ(input.value().warning(), "");
  for (int i = 0; i < 2; ++i) {
    char text[8] = {};
    EXPECT_EQ(::read(input.value().open().get(), text, sizeof text), 4);
    EXPECT_STREQ(text, "text");
  }
}

TEST(StandardInput, APipeNobodyWritesToIsEmptyAfterAMoment) {
  int pipes[2];
  ASSERT_EQ(::pipe(pipes), 0);
  auto input = StandardInput::take(pipes[0], milliseconds(50));
  ASSERT_TRUE(input.is_ok());
  EXPECT_NE(input.value().warning(), "");
  char byte = 0;
  EXPECT_EQ(::read(input.value().open().get(), &byte, 1), 0);
  ::close(pipes[0]);
  ::close(pipes[1]);
}

}  // namespace
}  // namespace ravel

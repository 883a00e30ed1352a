// SPDX-License-Identifier: Apache-2.0
#include "driver/process/run_process.h"

#include <sys/wait.h>

#include <csignal>
#include <fstream>
#include <string>
#include <thread>

#include <gtest/gtest.h>

namespace ravel {
namespace {

using namespace std::chrono_literals;

ProcessOrder shell(const std::string& script) {
  ProcessOrder order({"sh", "-c", script});
  order.own_group = true;
  return order;
}

RunEnd run(const ProcessOrder& order, const RunSettings& settings = {}) {
  auto ran = run_process(order, settings);
  EXPECT_TRUE(ran.is_ok()) << ran.status().what();
  return ran.is_ok() ? ran.value() : RunEnd{};
}

// Dead, or about to be; it may not have been waited for yet.
bool was_killed(int pid) {
  for (int attempt = 0; attempt < 1000; ++attempt) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string line;
    std::getline(file, line);
    const std::size_t name_end = line.rfind(')');
    if (name_end == std::string::npos || line[name_end + 2] == 'Z' || line[name_end + 2] == 'X') return true;
    std::this_thread::sleep_for(10ms);
  }
  return false;
}

TEST(RunProcess, KeepsOutputAndExitCode) {
  const RunEnd end = run(shell("echo out; echo err >&2; exit 3"));
  EXPECT_EQ(end.output, "out\n");
  EXPECT_EQ(end.code(), 3);
  EXPECT_FALSE(end.timed_out);
  EXPECT_FALSE(end.cut);
}

TEST(RunProcess, KeepsErrorsAmongTheOutputAsTheyCame) {
  RunSettings settings;
  settings.errors = true;
  EXPECT_EQ(run(shell("echo one; echo two >&2; echo three"), settings).output, "one\ntwo\nthree\n");
}

TEST(RunProcess, GivesTheInput) {
  EXPECT_EQ(run(shell("cat")).output, "");
  const std::string text(1 << 20, 'x');  // more than a pipe holds
  const auto end = run_process({"cat"}, text);
  ASSERT_TRUE(end.is_ok());
  EXPECT_EQ(end.value().output, text);
}

TEST(RunProcess, KeepsBothEndsOfLongOutput) {
  RunSettings settings;
  settings.output_head = 10;
  const std::string output = run(shell("echo begin; yes | head -c 300000; echo end"), settings).output;
  EXPECT_TRUE(output.starts_with("begin\n")) << output.substr(0, 100);
  EXPECT_NE(output.find("bytes left out"), std::string::npos);
  EXPECT_TRUE(output.ends_with("end\n"));
  EXPECT_LT(output.size(), 70000U);
}

TEST(RunProcess, TellsTheSignal) {
  const RunEnd end = run(shell("kill -ABRT $$"));
  ASSERT_TRUE(WIFSIGNALED(end.wait_status));
  EXPECT_EQ(WTERMSIG(end.wait_status), SIGABRT);
}

TEST(RunProcess, ATimeoutKillsTheWholeGroup) {
  RunSettings settings;
  settings.timeout = 300ms;
  const RunEnd end = run(shell("sleep 1000 & echo $!; wait"), settings);
  EXPECT_TRUE(end.timed_out);
  EXPECT_FALSE(end.cut);
  ASSERT_FALSE(end.output.empty());
  EXPECT_TRUE(was_killed(std::stoi(end.output)));
}

TEST(RunProcess, AnInterruptEndsItEarly) {
  std::atomic<bool> interrupted{false};
  RunSettings settings;
  settings.timeout = 1000s;
  settings.deadline = Deadline(interrupted);
  std::thread user([&] {
    std::this_thread::sleep_for(100ms);
    interrupted = true;
  });
  const RunEnd end = run(shell("sleep 1000"), settings);
  user.join();
  EXPECT_TRUE(end.cut);
  EXPECT_FALSE(end.timed_out);
}

TEST(RunProcess, DoesNotWaitForWhatTheProgramLeavesBehind) {
  const RunEnd end = run(shell("sleep 1000 & echo $!; exit 5"));
  EXPECT_EQ(end.code(), 5);
  EXPECT_TRUE(was_killed(std::stoi(end.output)));
}

TEST(RunProcess, WaitsForAProgramThatClosedItsOutput) {
  RunSettings settings;
  settings.errors = true;
  EXPECT_EQ(run(shell("exec >&- 2>&-; sleep 0.2; exit 6"), settings).code(), 6);
}

TEST(RunProcess, APrinterWithoutEndIsEndedByTheTimeLimit) {
  RunSettings settings;
  settings.timeout = 300ms;
  settings.output_head = 1000;
  const RunEnd end = run(ProcessOrder({"yes"}), settings);
  EXPECT_TRUE(end.timed_out);
  EXPECT_LT(end.output.size(), 100000U);
}

TEST(RunProcess, SaysWhyNothingRan) {
  const auto ran = run_process({"no-such-program"});
  ASSERT_FALSE(ran.is_ok());
  EXPECT_EQ(ran.status().what(), "cannot start no-such-program: No such file or directory");
}

}  // namespace
}  // namespace ravel

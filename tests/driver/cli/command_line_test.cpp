// SPDX-License-Identifier: Apache-2.0
// Usage errors: one sentence on stderr, exit code 2. Help: exit code 0, and only options that work.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "driver/cli/commands.h"

namespace ravel {
namespace {

struct Answer {
  int code;
  std::string out;
  std::string err;
};

Answer ravel(const std::vector<const char*>& arguments) {
  std::vector<const char*> argv = {"ravel"};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  const int code = run_command_line(static_cast<int>(argv.size()), argv.data());
  return {code, testing::internal::GetCapturedStdout(), testing::internal::GetCapturedStderr()};
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(CommandLine, VersionAndHelpGoToStdout) {
  const Answer version = ravel({"--version"});
  EXPECT_EQ(version.code, 0);
  EXPECT_EQ(version.out, "ravel " RAVEL_VERSION "\n");
  const Answer help = ravel({"--help"});
  EXPECT_EQ(help.code, 0);
  for (const char* const word : {"run", "replay", "doctor", "cc", "c++", "Examples:"}) {
    EXPECT_TRUE(contains(help.out, word)) << word;
  }
}

TEST(CommandLine, HelpIsThereForEveryCommand) {
  for (const CommandEntry& entry : list_commands()) {
    const Answer help = ravel({entry.name, "--help"});
    EXPECT_EQ(ravel({"help", entry.name}).out, help.out);
    EXPECT_EQ(help.code, 0);
    EXPECT_TRUE(help.out.starts_with(std::string("ravel ") + entry.name + " - ")) << help.out;
    EXPECT_TRUE(contains(help.out, "Exit codes: ")) << entry.name;
  }
}

TEST(CommandLine, MistypedWordsAreGuessed) {
  EXPECT_TRUE(contains(ravel({"repaly"}).err, "did you mean replay?"));
  EXPECT_TRUE(contains(ravel({"run", "--execution", "5", "--", "/bin/true"}).err, "did you mean --executions?"));
  EXPECT_FALSE(contains(ravel({"quux"}).err, "did you mean"));
}

TEST(CommandLine, AReportThatCannotBeWrittenIsToldBeforeAnythingRuns) {
  for (const char* const command : {"run", "noise", "futures", "test", "replay", "explain"}) {
    const bool takes_schedule = contains("replay explain", command);
    for (const char* const report : {"--json", "--html", "--sarif", "--junit", "--perfetto"}) {
      std::vector<const char*> words = {command, report, "/nonexistent/report", "--", "/nonexistent/program"};
      if (takes_schedule) words = {command, report, "/nonexistent/report", "/nonexistent/schedule"};
      const Answer answer = ravel(words);
      EXPECT_EQ(answer.code, 2);
      EXPECT_TRUE(contains(answer.err, std::string(report) + ": /nonexistent/report cannot be written")) << answer.err;
    }
  }
}

TEST(CommandLine, OneReportAtMostGoesToStandardOutput) {
  const Answer answer = ravel({"run", "--json", "-", "--sarif", "-", "--", "/bin/true"});
  EXPECT_EQ(answer.code, 2);
  EXPECT_TRUE(contains(answer.err, "--json and --sarif cannot both go to standard output")) << answer.err;
}

TEST(CommandLine, AReportMayGoToTheDirectoryThatTheCommandMakes) {
  const Answer answer =
      ravel({"run", "--out", "not-there", "--json", "not-there/summary.json", "--", "/nonexistent/program"});
  EXPECT_FALSE(contains(answer.err, "--json")) << answer.err;
}

TEST(CommandLine, WithoutACommandItHelpsAndFails) {
  const Answer answer = ravel({});
  EXPECT_EQ(answer.code, 2);
  EXPECT_TRUE(contains(answer.out, "Usage: ravel COMMAND"));
}

TEST(CommandLine, UsageErrorsAreOneSentence) {
  const std::vector<std::vector<const char*>> wrong = {
      {"runn"},
      {"run", "--executions", "0", "--", "/bin/true"},
      {"run", "--executions", "many", "--", "/bin/true"},
      {"run", "--strategy", "luck", "--", "/bin/true"},
      {"run", "--timeout", "soon", "--", "/bin/true"},
      {"run", "--jobs", "0", "--", "/bin/true"},
      {"run", "--expect", "miracle", "--", "/bin/true"},
      {"run", "--quarantine", "1Q", "--", "/bin/true"},
      {"run", "--no-such-option", "--", "/bin/true"},
      {"run", "--quiet=perhaps", "--", "/bin/true"},
      {"run", "--seed"},
      {"run", "--seed", "1", "--seed", "2", "--", "/bin/true"},
      {"noise", "--until-coverage", "2", "--", "/bin/true"},
      {"noise", "--races", "--no-record", "--", "/bin/true"},
      {"run"},
      {"run", "stray", "--", "/bin/true"},
      {"replay"},
      {"replay", "/nonexistent.ravel"},
  };
  for (const auto& arguments : wrong) {
    const Answer answer = ravel(arguments);
    EXPECT_EQ(answer.code, 2) << arguments.back();
    EXPECT_TRUE(answer.err.starts_with("ravel: ")) << answer.err;
    EXPECT_EQ(std::count(answer.err.begin(), answer.err.end(), '\n'), 2) << answer.err;  // what is wrong; what to do
    EXPECT_EQ(answer.out, "");
  }
}

TEST(CommandLine, TroubleNamesTheOptionAndWhatItTakes) {
  const std::vector<std::pair<std::vector<const char*>, const char*>> told = {
      {{"run", "--jobs", "0"}, "--jobs: '0' is not a number from 1 to 1024"},
      {{"run", "--max-steps", "-1"}, "--max-steps: '-1' is not a number of at least 1"},
      {{"run", "--timeout", "soon"}, "--timeout: 'soon' is not a duration such as 500ms, 60s or 5m"},
      {{"run", "--carrier", "free"}, "--carrier: 'free' is not one of fiber, thread"},
      {{"run", "--quarantine", "5T"}, "--quarantine: '5T' is not a size such as 512K, 16M or 0"},
      {{"run", "--seed"}, "--seed needs a value: --seed N"},
      {{"run", "--quiet=perhaps"}, "--quiet takes no value"},
      {{"futures", "--compare", "a.ravel"}, "--compare needs a value: --compare FAILING PASSING"},
      {{"replay", "a.ravel", "--speed"}, "'--speed' is not an option of ravel replay"},
      {{"replay"}, "SCHEDULE is required"},
      {{"runn"}, "there is no command 'runn'"},
  };
  for (const auto& [words, sentence] : told) {
    EXPECT_EQ(ravel(words).err.substr(7, std::string(sentence).size() + 1), std::string(sentence) + "\n");
  }
}

TEST(CommandLine, DoctorExaminesAProgram) {
  const Answer answer = ravel({"doctor", "--", "/proc/self/exe"});
  EXPECT_TRUE(contains(answer.out, "This machine:"));
  EXPECT_TRUE(contains(answer.out, "dynamically linked 64-bit x86 program"));
  EXPECT_TRUE(contains(answer.out, "not instrumented"));
}

}  // namespace
}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
// Usage errors: one sentence on stderr, exit code 2. Help: exit code 0, and only options that work.
#include <string>
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

TEST(CommandLine, HelpOfRunListsItsOptions) {
  const Answer help = ravel({"run", "--help"});
  EXPECT_EQ(help.code, 0);
  for (const char* const option :
       {"--strategy", "--executions", "--time",    "--seed",      "--jobs",       "--points", "--memory-model",
        "--history",  "--carrier",    "--timeout", "--max-steps", "--keep-going", "--out",    "--json",
        "--expect",   "--verify",     "--quiet",   "--no-color",  "auto|",        "Examples:"}) {
    EXPECT_TRUE(contains(help.out, option)) << option;
  }
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
      {"run", "--no-such-option", "--", "/bin/true"},
      {"run"},
      {"run", "stray", "--", "/bin/true"},
      {"replay"},
      {"replay", "/nonexistent.ravel"},
  };
  for (const auto& arguments : wrong) {
    const Answer answer = ravel(arguments);
    EXPECT_EQ(answer.code, 2) << arguments.back();
    EXPECT_TRUE(answer.err.starts_with("ravel: ")) << answer.err;
    EXPECT_EQ(answer.out, "");
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

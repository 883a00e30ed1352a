// SPDX-License-Identifier: Apache-2.0
#include "driver/cli/compiler_arguments.h"

#include <algorithm>
#include <sstream>

#include <gtest/gtest.h>

namespace ravel {
namespace {

std::vector<std::string> words(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> result;
  for (std::string word; stream >> word;) result.push_back(word);
  return result;
}

CompilerCommands planned(CompilerFamily family, const std::string& line) {
  return plan_compilation(family, words(line), {"/opt/lib/libravel.so", "/opt/include"}, "/tmp/scratch");
}

bool has(const CompilerCommand& command, const std::string& word) {
  return std::find(command.arguments.begin(), command.arguments.end(), word) != command.arguments.end();
}

std::string text(const CompilerCommand& command) {
  std::string result;
  for (const std::string& word : command.arguments) result += word + " ";
  return result;
}

TEST(CompilerArguments, QuestionsPassThrough) {
  const auto plan = planned(CompilerFamily::gcc, "--version");
  ASSERT_EQ(plan.commands.size(), 1U);
  EXPECT_EQ(plan.commands[0].arguments, words("--version"));
}

TEST(CompilerArguments, CompilingInstrumentsAndDoesNotLink) {
  const auto plan = planned(CompilerFamily::gcc, "-c a.cpp -o a.o");
  ASSERT_EQ(plan.commands.size(), 1U);
  EXPECT_TRUE(has(plan.commands[0], "-fsanitize=thread"));
  EXPECT_FALSE(has(plan.commands[0], "/opt/lib/libravel.so"));
  EXPECT_TRUE(plan.temporaries.empty());
}

TEST(CompilerArguments, OurHeadersComeAfterTheUsers) {
  const auto plan = planned(CompilerFamily::gcc, "-c a.cpp -I mine");
  EXPECT_TRUE(text(plan.commands[0]).find("-idirafter /opt/include") != std::string::npos) << text(plan.commands[0]);
  EXPECT_FALSE(has(planned(CompilerFamily::gcc, "a.o -o prog").commands[0], "/opt/include"));
}

TEST(CompilerArguments, KnowsWhetherThereIsSomethingToCompile) {
  EXPECT_TRUE(names_source(words("-o x.o -c x.S")));
  EXPECT_TRUE(names_source(words("-DX -c a.s -o a.o")));
  EXPECT_FALSE(names_source(words("-o prog.c")));
  EXPECT_FALSE(names_source(words("--verbose")));
}

TEST(CompilerArguments, LinkingBringsOurRuntimeAndNoOther) {
  const auto plan = planned(CompilerFamily::gcc, "a.o b.a -fsanitize=thread -o prog -lm");
  ASSERT_EQ(plan.commands.size(), 1U);
  EXPECT_EQ(text(plan.commands[0]), "a.o b.a -o prog -lm /opt/lib/libravel.so -Wl,-rpath,/opt/lib ");
}

TEST(CompilerArguments, DoingBothBecomesSeveralCommands) {
  const auto plan = planned(CompilerFamily::gcc, "-I inc a.cpp x.o b.c -o prog -lm");
  ASSERT_EQ(plan.commands.size(), 3U);
  EXPECT_TRUE(has(plan.commands[0], "a.cpp"));
  EXPECT_FALSE(has(plan.commands[0], "b.c"));
  EXPECT_FALSE(has(plan.commands[0], "prog"));
  EXPECT_TRUE(has(plan.commands[1], "b.c"));
  EXPECT_EQ(text(plan.commands[2]),
            "-I inc /tmp/scratch-0.o x.o /tmp/scratch-1.o -o prog -lm /opt/lib/libravel.so -Wl,-rpath,/opt/lib ");
  EXPECT_EQ(plan.temporaries.size(), 2U);
}

TEST(CompilerArguments, OperandsAreNoInputs) {
  const auto plan = planned(CompilerFamily::gcc, "-include all.c -MF deps.c a.o -o out.c");
  EXPECT_EQ(plan.commands.size(), 1U);
}

TEST(CompilerArguments, LanguageOptionsStayWithTheirSource) {
  const auto plan = planned(CompilerFamily::gcc, "-x c++ strange.txt -x none b.o -o prog");
  ASSERT_EQ(plan.commands.size(), 2U);
  EXPECT_NE(text(plan.commands[0]).find("-x c++ -c strange.txt"), std::string::npos);
  EXPECT_FALSE(has(plan.commands[1], "-x"));
}

TEST(CompilerArguments, OptimisationIsLoweredToWhatKeepsAccesses) {
  const auto gcc = planned(CompilerFamily::gcc, "-O3 -c a.c").commands[0].arguments;
  EXPECT_GT(std::find(gcc.begin(), gcc.end(), "-O1"), std::find(gcc.begin(), gcc.end(), "-O3"));
  EXPECT_NE(std::find(gcc.begin(), gcc.end(), "-fno-tree-fre"), gcc.end());
  const auto clang = planned(CompilerFamily::clang, "-O2 -c a.c").commands[0].arguments;
  EXPECT_GT(std::find(clang.begin(), clang.end(), "-O0"), std::find(clang.begin(), clang.end(), "-O2"));
  EXPECT_TRUE(has(planned(CompilerFamily::clang, "-c a.c").commands[0], "-tsan-instrument-read-before-write=1"));
  EXPECT_FALSE(has(planned(CompilerFamily::gcc, "-O0 -c a.c").commands[0], "-O1"));
  EXPECT_FALSE(has(planned(CompilerFamily::gcc, "-c a.c").commands[0], "-O1"));
}

TEST(CompilerArguments, WholeProgramOptimisationIsLeftOut) {
  EXPECT_FALSE(has(planned(CompilerFamily::gcc, "-flto -c a.c").commands[0], "-flto"));
  EXPECT_FALSE(has(planned(CompilerFamily::gcc, "-flto=auto a.o -o p").commands[0], "-flto=auto"));
}

TEST(CompilerArguments, PartialLinksGetNoRuntime) {
  EXPECT_FALSE(has(planned(CompilerFamily::gcc, "-r a.o b.o -o c.o").commands[0], "/opt/lib/libravel.so"));
}

TEST(CompilerArguments, HeadersAreCompiledOnly) {
  const auto plan = planned(CompilerFamily::gcc, "all.h -o all.h.gch");
  ASSERT_EQ(plan.commands.size(), 1U);
  EXPECT_FALSE(has(plan.commands[0], "/opt/lib/libravel.so"));
}

}  // namespace
}  // namespace ravel

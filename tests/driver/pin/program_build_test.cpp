// SPDX-License-Identifier: Apache-2.0
#include "driver/pin/program_build.h"

#include <gtest/gtest.h>

#include <fstream>

namespace ravel {
namespace {

using Words = std::vector<std::string>;

TEST(ProgramBuild, CompilesOneSourceOfACommandThatAlsoLinks) {
  const CompileCommand command{
      "/b", "/b/a.cpp", {"c++", "-g", "a.cpp", "b.cpp", "c.o", "-lz", "-L", "lib", "-o", "prog"}};
  EXPECT_EQ(compile_words(command, "1.o"), (Words{"c++", "-g", "-c", "/b/a.cpp", "-o", "1.o"}));
}

TEST(ProgramBuild, LeavesOutDependencyFilesAndKeepsOptionsWithValues) {
  const CompileCommand command{
      "/b",
      "/s/a.cpp",
      {"ccache", "g++", "-I", "x.c", "-DA=1", "-MD", "-MT", "a.o", "-MF", "a.d", "-o", "a.o", "-c", "/s/a.cpp"}};
  EXPECT_EQ(compile_words(command, "1.o"),
            (Words{"ccache", "g++", "-I", "x.c", "-DA=1", "-c", "/s/a.cpp", "-o", "1.o"}));
}

TEST(ProgramBuild, TakesTheCommandOfEverySource) {
  const std::vector<ProgramSource> sources = {{"/s/a.cpp", "/b", ""}};
  const CompileCommands known({{"/b", "/s/a.cpp", {"c++", "-c", "/s/a.cpp"}}, {"/b", "/s/other.cpp", {"c++"}}});
  const auto commands = commands_of(sources, &known, false);
  ASSERT_TRUE(commands.is_ok());
  ASSERT_EQ(commands.value().all().size(), 1U);
  EXPECT_EQ(commands.value().all()[0].file, "/s/a.cpp");
}

TEST(ProgramBuild, SaysWhichSourceHasNoCommand) {
  const CompileCommands known({{"/b", "/s/other.cpp", {"c++"}}});
  const auto commands = commands_of({{"/s/a.cpp", "/b", ""}}, &known, false);
  ASSERT_FALSE(commands.is_ok());
  EXPECT_EQ(commands.status().what(),
            "compile_commands.json has no command for /s/a.cpp, which is part of the program");
}

// The list of a plain build, and a program that `ravel c++` built: the copy has to see memory as the program did.
TEST(ProgramBuild, InstrumentsTheCopyLikeTheProgram) {
  const auto arguments = [](const std::string& producer, const Words& known, bool instrumented = true) {
    const CompileCommands list({{"/b", "/s/a.cpp", known}});
    return commands_of({{"/s/a.cpp", "/b", producer}}, &list, instrumented).value().all()[0].arguments;
  };
  const std::string noted = "GNU C++20 12.2.0 -mtune=generic -g -O1 -std=c++20 -fno-gcse -fsanitize=thread";
  EXPECT_EQ(arguments(noted, {"c++", "-O2", "a.cpp"}),
            (Words{"c++", "-O2", "a.cpp", "-O1", "-fno-gcse", "-fsanitize=thread"}));
  EXPECT_EQ(arguments("clang version 19.1.7", {"clang++", "a.cpp"}), (Words{"clang++", "a.cpp", "-fsanitize=thread"}));
  // As they are: a build by `ravel c++`, and a source that is plain in the program, too.
  const Words ravel = {"/usr/bin/ravel", "c++", "a.cpp"};
  EXPECT_EQ(arguments(noted, ravel), ravel);
  const Words plain = {"c++", "a.cpp"};
  EXPECT_EQ(arguments("GNU C++20 12.2.0 -g", plain), plain);
  EXPECT_EQ(arguments(noted, plain, false), plain);
}

TEST(ProgramBuild, ReadsTheCompilersNotes) {
  const std::filesystem::path source = std::filesystem::path(testing::TempDir()) / "noted.cpp";
  std::ofstream(source) << "int main() {}\n";
  const auto commands = commands_of(
      {{source, "/b", "GNU C++20 12.2.0 -mtune=generic -g -O1 -std=c++20 -fsanitize=thread"}}, nullptr, true);
  ASSERT_TRUE(commands.is_ok());
  EXPECT_EQ(commands.value().all()[0].arguments,
            (Words{"c++", "-mtune=generic", "-g", "-O1", "-std=c++20", "-fsanitize=thread", "-c", source.string()}));
}

TEST(ProgramBuild, ReadsTheNotesOfClang) {
  const std::filesystem::path source = std::filesystem::path(testing::TempDir()) / "noted.cpp";
  std::ofstream(source) << "int main() {}\n";
  const std::string noted =
      "Debian clang version 19.1.7 (3~deb12u1) /usr/lib/llvm-19/bin/clang --driver-mode=g++ -g "
      "-D X=\"a\\ b\" noted.cpp -o acc -dumpdir acc-";
  const auto commands = commands_of({{source, "/b", noted}}, nullptr, false);
  ASSERT_TRUE(commands.is_ok());
  EXPECT_EQ(compile_words(commands.value().all()[0], "1.o"),
            (Words{"/usr/lib/llvm-19/bin/clang", "--driver-mode=g++", "-g", "-D", "X=\"a b\"", "-c", source.string(),
                   "-o", "1.o"}));
}

TEST(ProgramBuild, GuessesTheOptionsThatClangDidNotNote) {
  const std::filesystem::path source = std::filesystem::path(testing::TempDir()) / "plain.c";
  std::ofstream(source) << "int main() {}\n";
  const auto commands = commands_of({{source, "/b", "clang version 1.0.0"}}, nullptr, true);
  ASSERT_TRUE(commands.is_ok());
  EXPECT_EQ(commands.value().all()[0].arguments, (Words{"clang", "-g", "-fsanitize=thread", "-c", source.string()}));
}

TEST(ProgramBuild, AsksForCommandsWhereTheCompilerNotedNone) {
  const auto commands = commands_of({{"/s/a.cpp", "/b", "Intel(R) C++ 19.0"}}, nullptr, false);
  ASSERT_FALSE(commands.is_ok());
  EXPECT_EQ(commands.status().what(), "Ravel cannot tell how /s/a.cpp is compiled");
}

}  // namespace
}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
#include "driver/sources/compile_commands.h"

#include <unistd.h>

#include <gtest/gtest.h>

#include <fstream>

namespace ravel {
namespace {

using Words = std::vector<std::string>;

TEST(SplitCommandTest, QuotesAndBackslashes) {
  EXPECT_EQ(split_command("c++  -c 'a b.cpp'"), (Words{"c++", "-c", "a b.cpp"}));
  EXPECT_EQ(split_command(R"(c++ -DTEXT="\"x y\"" a\ b.cpp "")"), (Words{"c++", "-DTEXT=\"x y\"", "a b.cpp", ""}));
  EXPECT_EQ(split_command(R"(c++ "-DA=\n" '\n')"), (Words{"c++", "-DA=\\n", "\\n"}));
  EXPECT_EQ(split_command("  "), Words{});
}

TEST(EndsWithNamesTest, OnlyWholeNames) {
  EXPECT_TRUE(ends_with_names("/home/me/src/list.cpp", "list.cpp"));
  EXPECT_TRUE(ends_with_names("/home/me/src/list.cpp", "src/list.cpp"));
  EXPECT_TRUE(ends_with_names("/home/me/src/list.cpp", "/home/me/src/list.cpp"));
  EXPECT_FALSE(ends_with_names("/home/me/src/list.cpp", "st.cpp"));
  EXPECT_FALSE(ends_with_names("/home/me/src/list.cpp", ""));
}

class CompileCommandsTest : public ::testing::Test {
 protected:
  Result<CompileCommands> read(const std::string& text, const std::string& target = "") const {
    std::ofstream(path_) << text;
    return CompileCommands::read(path_, target);
  }
  std::filesystem::path path_ =
      std::filesystem::path(::testing::TempDir()) / ("ravel_compile_commands_" + std::to_string(::getpid()) + ".json");
};

TEST_F(CompileCommandsTest, BothForms) {
  const auto commands = read(R"([
    {"directory": "/build", "file": "../src/a.cpp", "command": "c++ -c ../src/a.cpp"},
    {"directory": "/build", "file": "/src/b.cpp", "arguments": ["c++", "-c", "/src/b.cpp"]},
    {"directory": "/build", "file": "/src/b.cpp", "arguments": ["c++", "-DX", "-c", "/src/b.cpp"]}])");
  ASSERT_TRUE(commands.is_ok());
  ASSERT_EQ(commands.value().all().size(), 3U);
  EXPECT_EQ(commands.value().all()[0].file, "/src/a.cpp");
  EXPECT_EQ(commands.value().all()[0].arguments, (Words{"c++", "-c", "../src/a.cpp"}));
  EXPECT_EQ(commands.value().ending_with("b.cpp").size(), 1U) << "compiled twice, one source";
  EXPECT_TRUE(commands.value().ending_with("c.cpp").empty());
}

TEST_F(CompileCommandsTest, OfOneTarget) {
  const char* const text = R"([
    {"directory": "/b", "file": "/s/a.cpp", "command": "c++ -c /s/a.cpp", "output": "CMakeFiles/prog.dir/a.cpp.o"},
    {"directory": "/b", "file": "/s/b.cpp", "command": "c++ -o src/CMakeFiles/prog.dir/b.cpp.o -c /s/b.cpp"},
    {"directory": "/b", "file": "/s/a.cpp", "command": "c++ -c /s/a.cpp", "output": "CMakeFiles/my_prog.dir/a.cpp.o"},
    {"directory": "/b", "file": "/s/c.cpp", "command": "c++ -c /s/c.cpp"}])";
  const auto commands = read(text, "prog");
  ASSERT_TRUE(commands.is_ok());
  ASSERT_EQ(commands.value().all().size(), 2U);
  EXPECT_EQ(commands.value().all()[1].file, "/s/b.cpp");
  EXPECT_EQ(read(text).value().all().size(), 4U);
  const auto none = read(text, "pro");
  ASSERT_FALSE(none.is_ok());
  EXPECT_NE(none.status().what().find("compiles nothing for a target pro"), std::string::npos);
}

TEST_F(CompileCommandsTest, WhatIsWrittenIsReadAgain) {
  const CompileCommands commands({{"/build", "/src/a b.cpp", {"c++", "-DX=\"1\"", "/src/a b.cpp"}}});
  const auto again = read(commands.json());
  ASSERT_TRUE(again.is_ok());
  EXPECT_EQ(again.value().all(), commands.all());
}

TEST_F(CompileCommandsTest, WhatIsNoneIsRefused) {
  for (const char* const text :
       {"", "{}", "[1]", R"([{"file": "a.cpp"}])", R"([{"directory": "/", "file": "a.cpp", "arguments": []}])"}) {
    EXPECT_FALSE(read(text).is_ok()) << text;
  }
  EXPECT_FALSE(CompileCommands::read("/nowhere").is_ok());
}

}  // namespace
}  // namespace ravel

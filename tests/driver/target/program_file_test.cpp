// SPDX-License-Identifier: Apache-2.0
// Every kind of file a user may give instead of a program gets its own sentence.
#include "driver/target/program_file.h"

#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <elf.h>
#include <gtest/gtest.h>

namespace ravel {
namespace {

namespace fs = std::filesystem;

class ProgramFileTest : public testing::Test {
 protected:
  ProgramFileTest() : directory_(fs::path(testing::TempDir()) / ("ravel-files-" + std::to_string(::getpid()))) {
    fs::create_directories(directory_);
  }
  ~ProgramFileTest() override { fs::remove_all(directory_); }

  std::string file(const std::string& name, const std::string& content, mode_t mode = 0755) {
    const fs::path path = directory_ / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << content;
    ::chmod(path.c_str(), mode);
    return path.string();
  }

  // A copy of this very program with some bytes changed.
  std::string altered_self(const std::string& name, std::size_t at, char value) {
    std::ifstream self("/proc/self/exe", std::ios::binary);
    std::string bytes((std::istreambuf_iterator<char>(self)), std::istreambuf_iterator<char>());
    bytes.at(at) = value;
    return file(name, bytes);
  }

  static std::string trouble(const std::string& typed) {
    const auto program = inspect_program(typed);
    EXPECT_FALSE(program.is_ok()) << typed;
    if (program.is_ok()) return "";
    EXPECT_FALSE(program.status().advice().empty());
    return program.status().what();
  }

  fs::path directory_;
};

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST_F(ProgramFileTest, ADebugLinkCountsOnlyWhereItLeadsSomewhere) {
  const std::string self = fs::read_symlink("/proc/self/exe").string();
  const std::string program = (directory_ / "stripped").string();
  const std::string debug = (directory_ / "stripped.debug").string();
  ASSERT_EQ(std::system(("objcopy --only-keep-debug " + self + " " + debug).c_str()), 0);
  ASSERT_EQ(std::system(("objcopy --strip-debug --add-gnu-debuglink=" + debug + " " + self + " " + program).c_str()),
            0);
  EXPECT_TRUE(inspect_program(program).value().has_debug_info);
  fs::remove(debug);
  EXPECT_FALSE(inspect_program(program).value().has_debug_info);
}

TEST_F(ProgramFileTest, AcceptsAnOrdinaryProgram) {
  const auto program = inspect_program("/proc/self/exe");
  ASSERT_TRUE(program.is_ok()) << program.status().what();
  EXPECT_EQ(program.value().path, "/proc/self/exe");
  EXPECT_FALSE(program.value().needed.empty());
}

TEST_F(ProgramFileTest, LooksUpNamesWithoutSlashInPath) {
  const std::string path = altered_self("prog", 15, 0);
  const char* const before = std::getenv("PATH");
  const std::string saved = before != nullptr ? before : "";
  ::setenv("PATH", ("/nonexistent:" + directory_.string()).c_str(), 1);
  const auto program = inspect_program("prog");
  EXPECT_TRUE(contains(trouble("other"), "in PATH"));
  ::setenv("PATH", saved.c_str(), 1);
  ASSERT_TRUE(program.is_ok());
  EXPECT_EQ(program.value().path, path);
}

TEST_F(ProgramFileTest, RefusesWhatIsNoProgram) {
  EXPECT_TRUE(contains(trouble("./missing"), "no program ./missing"));
  EXPECT_TRUE(contains(trouble(""), "empty"));
  EXPECT_TRUE(contains(trouble(directory_.string()), "is a directory"));
  EXPECT_TRUE(contains(trouble(file("text", "hello\n")), "not a program"));
  EXPECT_TRUE(contains(trouble(file("empty", "")), "not a program"));
  EXPECT_TRUE(contains(trouble(file("no-x", "hello\n", 0644)), "not executable"));
  EXPECT_TRUE(contains(trouble("/dev/null"), "not a regular file"));
  EXPECT_TRUE(contains(trouble(file("short", "\177ELF")), "not a program"));
}

TEST_F(ProgramFileTest, NamesTheInterpreterOfAScript) {
  EXPECT_TRUE(contains(trouble(file("script", "#!/usr/bin/env python3\nprint()\n")), "/usr/bin/env python3"));
}

TEST_F(ProgramFileTest, PointsToTheProgramBehindALibtoolWrapper) {
  const std::string wrapper = file("tool", "#! /bin/sh\n# tool - temporary wrapper script for .libs/tool\n# libtool\n");
  file(".libs/tool", "x");
  const auto program = inspect_program(wrapper);
  ASSERT_FALSE(program.is_ok());
  EXPECT_TRUE(contains(program.status().what(), "libtool"));
  EXPECT_TRUE(contains(program.status().advice(), ".libs/tool"));
}

TEST_F(ProgramFileTest, RefusesOtherMachines) {
  EXPECT_TRUE(contains(trouble(altered_self("arm", 18, static_cast<char>(EM_AARCH64))), "64-bit ARM"));
  EXPECT_TRUE(contains(trouble(altered_self("i386", 18, EM_386)), "32-bit"));
}

TEST_F(ProgramFileTest, RefusesSetuidPrograms) {
  const std::string path = altered_self("setuid", 15, 0);
  ::chmod(path.c_str(), 04755);
  EXPECT_TRUE(contains(trouble(path), "setuid"));
}

TEST_F(ProgramFileTest, RefusesObjectFiles) {
  EXPECT_TRUE(contains(trouble(altered_self("object", 16, ET_REL)), "object file"));
}

}  // namespace
}  // namespace ravel

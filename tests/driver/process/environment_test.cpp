// SPDX-License-Identifier: Apache-2.0
#include "driver/process/environment.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

namespace ravel {
namespace {

namespace fs = std::filesystem;

TEST(Environment, OurEntriesReplaceThoseOfTheSameName) {
  ::setenv("RAVEL_TEST", "old", 1);
  ::setenv("RAVEL_TEST_LONGER", "other", 1);
  const auto all = environment_with({"RAVEL_TEST=new"});
  const auto has = [&](const char* entry) { return std::find(all.begin(), all.end(), entry) != all.end(); };
  EXPECT_TRUE(has("RAVEL_TEST=new"));
  EXPECT_FALSE(has("RAVEL_TEST=old"));
  EXPECT_TRUE(has("RAVEL_TEST_LONGER=other"));
}

TEST(Environment, PutsAValueBeforeWhatIsThere) {
  ::unsetenv("RAVEL_TEST");
  EXPECT_EQ(with_first("RAVEL_TEST", "a"), "a");
  ::setenv("RAVEL_TEST", "", 1);
  EXPECT_EQ(with_first("RAVEL_TEST", "a"), "a");
  ::setenv("RAVEL_TEST", "b:c", 1);
  EXPECT_EQ(with_first("RAVEL_TEST", "a"), "a:b:c");
}

class PathTest : public ::testing::Test {
 protected:
  PathTest() : root_(fs::temp_directory_path() / ("ravel-path-" + std::to_string(::getpid()))) {
    add("one/tool", true);
    add("two/tool", true);
    add("one/text", false);
    fs::create_directories(root_ / "one/folder");
    ::setenv("PATH", (dir("one") + ":" + dir("two")).c_str(), 1);
  }
  ~PathTest() override { fs::remove_all(root_); }

  std::string dir(const std::string& name) const { return (root_ / name).string(); }
  void add(const std::string& name, bool executable) const {
    fs::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name) << "#!/bin/sh\n";
    ::chmod((root_ / name).c_str(), executable ? 0755 : 0644);
  }

  const fs::path root_;
};

TEST_F(PathTest, FindsTheFirst) { EXPECT_EQ(find_in_path("tool"), dir("one/tool")); }

TEST_F(PathTest, LeavesADirectoryOut) { EXPECT_EQ(find_in_path("tool", dir("one")), dir("two/tool")); }

TEST_F(PathTest, FindsOnlyPrograms) {
  EXPECT_EQ(find_in_path("text"), "");
  EXPECT_EQ(find_in_path("folder"), "");
  EXPECT_EQ(find_in_path("no-such-tool"), "");
}

TEST_F(PathTest, TakesANameWithASlashAsAPath) {
  EXPECT_EQ(find_in_path(dir("two/tool")), dir("two/tool"));
  EXPECT_EQ(find_in_path(dir("two/none")), "");
}

TEST_F(PathTest, AnEmptyEntryIsThisDirectory) {
  const fs::path before = fs::current_path();
  fs::current_path(dir("two"));
  ::setenv("PATH", ":/nowhere", 1);
  EXPECT_EQ(find_in_path("tool"), "./tool");
  fs::current_path(before);
}

}  // namespace
}  // namespace ravel

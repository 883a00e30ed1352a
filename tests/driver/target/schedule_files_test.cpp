// SPDX-License-Identifier: Apache-2.0
#include "driver/target/schedule_files.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "trace/schedule_reader.h"

namespace ravel {
namespace {

namespace fs = std::filesystem;

class ScheduleFilesTest : public testing::Test {
 protected:
  ScheduleFilesTest() : out_(fs::path(testing::TempDir()) / ("ravel-schedules-" + std::to_string(::getpid()))) {}
  ~ScheduleFilesTest() override { fs::remove_all(out_); }

  std::string write(ScheduleFiles& files, const std::string& name, std::uint64_t execution) {
    Schedule schedule;
    schedule.program = {"./prog"};
    schedule.execution = execution;
    const auto path = files.write(schedule, name);
    EXPECT_TRUE(path.is_ok());
    return path.is_ok() ? path.value() : "";
  }

  static std::uint64_t execution_in(const fs::path& path) {
    const auto schedule = read_schedule(path.string());
    EXPECT_TRUE(schedule.is_ok()) << path;
    return schedule.is_ok() ? schedule.value().execution : 0;
  }

  fs::path out_;
};

TEST_F(ScheduleFilesTest, NamesTheNewestAndKeepsTheOlder) {
  ScheduleFiles first(out_.string());
  EXPECT_EQ(write(first, "1-deadlock.ravel", 3), (out_ / "1-deadlock.ravel").string());
  ScheduleFiles second(out_.string());
  EXPECT_EQ(write(second, "1-deadlock.ravel", 5), (out_ / "1-deadlock.ravel").string());
  EXPECT_EQ(execution_in(out_ / "1-deadlock.ravel"), 5U);
  EXPECT_EQ(execution_in(out_ / "latest/1-deadlock.ravel"), 5U);
  EXPECT_EQ(execution_in(out_ / "run-1/1-deadlock.ravel"), 3U);
}

TEST_F(ScheduleFilesTest, AnImprovedScheduleReplacesItsFirstVersion) {
  ScheduleFiles files(out_.string());
  write(files, "1-signal.ravel", 3);
  write(files, "1-signal.ravel", 4);
  EXPECT_EQ(execution_in(out_ / "run-1/1-signal.ravel"), 4U);
  EXPECT_FALSE(fs::exists(out_ / "run-2"));
}

TEST_F(ScheduleFilesTest, ACommandThatWritesNothingLeavesTheNamesAlone) {
  ScheduleFiles first(out_.string());
  write(first, "1-deadlock.ravel", 3);
  ScheduleFiles second(out_.string());
  EXPECT_TRUE(second.make_ready().is_ok());
  EXPECT_EQ(fs::read_symlink(out_ / "latest"), "run-1");
  EXPECT_FALSE(fs::exists(out_ / "run-2"));
}

TEST_F(ScheduleFilesTest, AFileOfSomebodyElseStays) {
  fs::create_directories(out_);
  std::ofstream(out_ / "1-deadlock.ravel") << "mine";
  ScheduleFiles files(out_.string());
  EXPECT_EQ(write(files, "1-deadlock.ravel", 3), (out_ / "run-1/1-deadlock.ravel").string());
  std::string content;
  std::ifstream(out_ / "1-deadlock.ravel") >> content;
  EXPECT_EQ(content, "mine");
}

TEST_F(ScheduleFilesTest, WhatIsRemovedIsGoneUnderBothNames) {
  ScheduleFiles files(out_.string());
  write(files, "1-timeout.ravel", 3);
  files.remove("1-timeout.ravel");
  EXPECT_FALSE(fs::exists(fs::symlink_status(out_ / "1-timeout.ravel")));
  EXPECT_FALSE(fs::exists(out_ / "run-1/1-timeout.ravel"));
}

}  // namespace
}  // namespace ravel

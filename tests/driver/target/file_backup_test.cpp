// SPDX-License-Identifier: Apache-2.0
// The target's side is played by hand here: what it would have copied, and its journal.
#include "driver/target/file_backup.h"

#include <sys/stat.h>

#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

#include "driver/process/temporary_directory.h"

namespace ravel {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& path, const std::string& text) { std::ofstream(path) << text; }

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

class FileBackupTest : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::create_directory(backup_.directory());
    fs::create_directory(work_);
  }

  void keep(BackupPhase phase, BackupKind kind, const fs::path& path) {
    const fs::path copy = backup_.directory() / std::to_string(++copies_);
    if (kind == BackupKind::file) fs::copy_file(path, copy);
    if (kind == BackupKind::link) fs::copy_symlink(path, copy);
    if (kind == BackupKind::directory) fs::create_directory(copy);
    const BackupEntry entry{phase, kind, copies_, static_cast<std::uint32_t>(path.string().size())};
    std::ofstream journal(backup_.directory() / kBackupJournal, std::ios::app | std::ios::binary);
    journal.write(reinterpret_cast<const char*>(&entry), sizeof entry);
    journal << path.string();
  }

  TemporaryDirectory directory_ = std::move(TemporaryDirectory::make("ravel-test").value());
  fs::path work_ = directory_.path() / "work";
  FileBackup backup_{directory_.path() / "backup"};
  std::uint32_t copies_ = 0;
};

TEST_F(FileBackupTest, NothingIsDoneWhenNothingWasKept) {
  EXPECT_TRUE(FileBackup(directory_.path() / "never made").undo(BackupPhase::start));
  EXPECT_TRUE(backup_.undo(BackupPhase::start));
}

TEST_F(FileBackupTest, FilesGetTheirContentsAndAttributesBack) {
  write(work_ / "changed", "old");
  fs::permissions(work_ / "changed", fs::perms(0640));
  write(work_ / "removed", "was here");
  keep(BackupPhase::execution, BackupKind::file, work_ / "changed");
  write(work_ / "changed", "new and longer");
  fs::permissions(work_ / "changed", fs::perms(0600));
  keep(BackupPhase::execution, BackupKind::file, work_ / "removed");
  fs::remove(work_ / "removed");
  EXPECT_TRUE(backup_.undo(BackupPhase::execution));
  EXPECT_EQ(text_of(work_ / "changed"), "old");
  EXPECT_EQ(fs::status(work_ / "changed").permissions(), fs::perms(0640));
  EXPECT_EQ(text_of(work_ / "removed"), "was here");
}

TEST_F(FileBackupTest, AFileThatWasReplacedIsTheSameAgain) {
  write(work_ / "file", "old");
  std::ifstream open_all_along(work_ / "file");
  keep(BackupPhase::execution, BackupKind::file, work_ / "file");
  fs::create_hard_link(work_ / "file", backup_.directory() / ("1" + std::string(kBackupName)));
  write(work_ / "file", "new");
  fs::remove(work_ / "file");
  write(work_ / "file", "another");
  EXPECT_TRUE(backup_.undo(BackupPhase::execution));
  EXPECT_EQ(text_of(work_ / "file"), "old");
  write(work_ / "file", "written later");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(open_all_along), {}), "written later");
  EXPECT_EQ(fs::hard_link_count(work_ / "file"), 1U);
}

TEST_F(FileBackupTest, WhatWasNotThereGoes) {
  keep(BackupPhase::execution, BackupKind::absent, work_ / "made");
  fs::create_directory(work_ / "made");
  write(work_ / "made" / "inside", "by a program that told nothing");
  EXPECT_TRUE(backup_.undo(BackupPhase::execution));
  EXPECT_FALSE(fs::exists(work_ / "made"));
}

TEST_F(FileBackupTest, ADirectoryThatWasRenamedComesBackWithWhatWasInIt) {
  fs::create_directory(work_ / "a");
  write(work_ / "a" / "file", "text");
  fs::create_symlink("file", work_ / "a" / "link");
  keep(BackupPhase::execution, BackupKind::directory, work_ / "a");
  keep(BackupPhase::execution, BackupKind::file, work_ / "a" / "file");
  keep(BackupPhase::execution, BackupKind::link, work_ / "a" / "link");
  keep(BackupPhase::execution, BackupKind::absent, work_ / "b");
  fs::rename(work_ / "a", work_ / "b");
  EXPECT_TRUE(backup_.undo(BackupPhase::execution));
  EXPECT_EQ(text_of(work_ / "a" / "link"), "text");
  EXPECT_FALSE(fs::exists(work_ / "b"));
}

TEST_F(FileBackupTest, TheFirstCopyOfAFileCounts) {
  write(work_ / "file", "first");
  keep(BackupPhase::execution, BackupKind::file, work_ / "file");
  write(work_ / "file", "second");
  keep(BackupPhase::execution, BackupKind::file, work_ / "file");
  write(work_ / "file", "third");
  EXPECT_TRUE(backup_.undo(BackupPhase::execution));
  EXPECT_EQ(text_of(work_ / "file"), "first");
}

TEST_F(FileBackupTest, WhatTheProgramDidBeforeItsFirstTaskStaysUntilItsEnd) {
  keep(BackupPhase::start, BackupKind::absent, work_ / "file");
  write(work_ / "file", "of the start");
  for (int execution = 0; execution < 2; ++execution) {
    keep(BackupPhase::execution, BackupKind::file, work_ / "file");
    write(work_ / "file", "of an execution");
    EXPECT_TRUE(backup_.undo(BackupPhase::execution));
    EXPECT_EQ(text_of(work_ / "file"), "of the start");
  }
  EXPECT_TRUE(backup_.undo(BackupPhase::start));
  EXPECT_FALSE(fs::exists(work_ / "file"));
}

TEST_F(FileBackupTest, AnEntryThatWasCutShortCountsForNothing) {
  keep(BackupPhase::execution, BackupKind::absent, work_ / "made");
  write(work_ / "made", "text");
  std::ofstream(backup_.directory() / kBackupJournal, std::ios::app | std::ios::binary) << "half an entry";
  EXPECT_TRUE(backup_.undo(BackupPhase::execution));
  EXPECT_FALSE(fs::exists(work_ / "made"));
}

}  // namespace
}  // namespace ravel

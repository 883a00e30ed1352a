// SPDX-License-Identifier: Apache-2.0
#include "runtime/files/file_locks.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

namespace ravel::testing {
namespace {

class LockedFile : public ::testing::Test {
 protected:
  LockedFile() : file_(::mkstemp(path_)), other_(::open(path_, O_RDWR)) {}
  ~LockedFile() override {
    ::close(file_);
    ::close(other_);
    ::unlink(path_);
  }

  // Could an open file of somebody else lock the byte for writing?
  bool is_free(off_t byte) const {
    struct flock range {};
    range.l_type = F_WRLCK;
    range.l_start = byte;
    range.l_len = 1;
    return ::fcntl(other_, F_OFD_GETLK, &range) == 0 && range.l_type == F_UNLCK;
  }

  void lock(int command, short type, off_t start, off_t length) const {
    struct flock range {};
    range.l_type = type;
    range.l_start = start;
    range.l_len = length;
    ASSERT_EQ(::fcntl(file_, command, &range), 0);
  }

  char path_[32] = "locked-file-XXXXXX";
  int file_;
  int other_;  // an open file of its own. Closing it would end the record locks of the whole process
};

TEST(FileLocks, AreReadFromWhatTheKernelSaysOfADescriptor) {
  FileLocks locks;
  locks.add(5,
            "pos:\t0\nflags:\t0100002\nmnt_id:\t22\nino:\t7\n"
            "lock:\t1: POSIX  ADVISORY  WRITE 1234 08:01:7 0 EOF\n"
            "lock:\t2: OFDLCK ADVISORY  READ  -1 08:01:7 10 19\n"
            "lock:\t3: FLOCK  ADVISORY  WRITE 1234 08:01:7 0 EOF\n"
            "lock:\t4: LEASE  ACTIVE    READ  1234 08:01:7 0 EOF\n");
  ASSERT_EQ(locks.size(), 3U);
  EXPECT_EQ(locks[0].kind, FileLockKind::record);
  EXPECT_TRUE(locks[0].exclusive);
  EXPECT_EQ(locks[0].length, 0);
  EXPECT_EQ(locks[1].kind, FileLockKind::open_file);
  EXPECT_FALSE(locks[1].exclusive);
  EXPECT_EQ(locks[1].start, 10);
  EXPECT_EQ(locks[1].length, 10);
  EXPECT_EQ(locks[2].kind, FileLockKind::whole_file);
  EXPECT_EQ(locks[2].descriptor, 5);
  EXPECT_TRUE(locks.belong_to_file(5));
}

TEST_F(LockedFile, RecordLocksAreGivenUpAndTakenAgain) {
  lock(F_SETLK, F_WRLCK, 2, 3);
  FileLocks locks;
  locks.add(file_);
  ASSERT_EQ(locks.size(), 1U);
  EXPECT_FALSE(locks.belong_to_file(file_));
  locks.give_up();
  EXPECT_TRUE(is_free(2));
  locks.take();
  EXPECT_TRUE(is_free(1));
  EXPECT_FALSE(is_free(2));
  EXPECT_FALSE(is_free(4));
  EXPECT_TRUE(is_free(5));
}

TEST_F(LockedFile, LocksOfTheOpenFileLikewise) {
  lock(F_OFD_SETLK, F_RDLCK, 0, 0);
  ASSERT_EQ(::flock(file_, LOCK_EX), 0);
  FileLocks locks;
  locks.add(file_);
  ASSERT_EQ(locks.size(), 2U);
  locks.give_up();
  EXPECT_TRUE(is_free(0));
  EXPECT_EQ(::flock(other_, LOCK_EX | LOCK_NB), 0);
  ::flock(other_, LOCK_UN);
  locks.take();
  EXPECT_FALSE(is_free(0));
}

TEST_F(LockedFile, AFileWithoutLocksHasNone) {
  FileLocks locks;
  locks.add(file_);
  EXPECT_EQ(locks.size(), 0U);
}

}  // namespace
}  // namespace ravel::testing

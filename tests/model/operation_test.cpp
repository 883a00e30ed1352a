// SPDX-License-Identifier: Apache-2.0
#include "model/operation.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace ravel {
namespace {

Operation access(OperationKind kind, std::uint64_t address, std::uint16_t size) {
  Operation operation;
  operation.kind = kind;
  operation.object = address;
  operation.size = size;
  return operation;
}

Operation on_object(OperationKind kind, std::uint64_t address) { return access(kind, address, 0); }

TEST(OperationTable, NamesAreDifferentAndReadable) {
  std::set<std::string> names;
  for (unsigned i = 0; i < kOperationKinds; ++i) {
    const std::string name = operation_name(static_cast<OperationKind>(i));
    EXPECT_TRUE(names.insert(name).second) << name << " is twice in model/operation.def";
    EXPECT_EQ(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz-"), std::string::npos) << name;
  }
}

// Names stand in schedule files: a few are pinned so that renaming one is noticed.
TEST(OperationTable, NamesOfTheFormatDoNotChange) {
  EXPECT_STREQ(operation_name(OperationKind::read), "read");
  EXPECT_STREQ(operation_name(OperationKind::atomic_cas), "atomic-cas");
  EXPECT_STREQ(operation_name(OperationKind::mutex_lock), "lock");
  EXPECT_STREQ(operation_name(OperationKind::condition_wait), "wait");
  EXPECT_STREQ(operation_name(OperationKind::program_exit), "exit");
}

TEST(OperationTable, MemoryAccessesAreTheLoadsAndStores) {
  EXPECT_TRUE(is_memory_access(OperationKind::read));
  EXPECT_TRUE(is_memory_access(OperationKind::atomic_rmw));
  EXPECT_TRUE(is_memory_access(OperationKind::atomic_cas));
  EXPECT_FALSE(is_memory_access(OperationKind::fence));
  EXPECT_FALSE(is_memory_access(OperationKind::mutex_lock));
}

TEST(Conflict, TwoReadsNeverDo) {
  const Operation a = access(OperationKind::read, 100, 4);
  EXPECT_FALSE(conflict(a, access(OperationKind::read, 100, 4)));
  EXPECT_FALSE(conflict(a, access(OperationKind::atomic_load, 100, 4)));
}

TEST(Conflict, AWriteConflictsWithWhatOverlapsIt) {
  const Operation write = access(OperationKind::write, 100, 4);
  EXPECT_TRUE(conflict(write, access(OperationKind::read, 100, 4)));
  EXPECT_TRUE(conflict(write, access(OperationKind::read, 103, 1)));
  EXPECT_TRUE(conflict(write, access(OperationKind::write, 96, 8)));
  EXPECT_FALSE(conflict(write, access(OperationKind::write, 104, 4)));
  EXPECT_FALSE(conflict(write, access(OperationKind::read, 96, 4)));
}

TEST(Conflict, SynchronisationConflictsOnTheSameObject) {
  EXPECT_TRUE(conflict(on_object(OperationKind::mutex_lock, 100), on_object(OperationKind::mutex_unlock, 100)));
  EXPECT_FALSE(conflict(on_object(OperationKind::mutex_lock, 100), on_object(OperationKind::mutex_lock, 140)));
}

TEST(Conflict, ReadersOfAReadWriteLockDoNotConflict) {
  const Operation reader = on_object(OperationKind::rwlock_read_lock, 100);
  EXPECT_FALSE(conflict(reader, on_object(OperationKind::rwlock_read_lock, 100)));
  EXPECT_TRUE(conflict(reader, on_object(OperationKind::rwlock_write_lock, 100)));
}

TEST(Conflict, LocalOperationsConflictWithNothing) {
  EXPECT_FALSE(conflict(on_object(OperationKind::yield, 100), access(OperationKind::write, 100, 4)));
  EXPECT_FALSE(conflict(on_object(OperationKind::fence, 0), on_object(OperationKind::fence, 0)));
}

TEST(Conflict, IsSymmetric) {
  for (unsigned i = 0; i < kOperationKinds; ++i) {
    for (unsigned j = 0; j < kOperationKinds; ++j) {
      const Operation a = access(static_cast<OperationKind>(i), 100, 2);
      const Operation b = access(static_cast<OperationKind>(j), 101, 2);
      EXPECT_EQ(conflict(a, b), conflict(b, a)) << i << " " << j;
    }
  }
}

}  // namespace
}  // namespace ravel

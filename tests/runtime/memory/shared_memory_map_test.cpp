// SPDX-License-Identifier: Apache-2.0
// Which code locations touch shared memory. Addresses and locations are plain numbers: nothing is accessed.
#include "runtime/memory/shared_memory_map.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace ravel {
namespace {

constexpr std::uint64_t kX = 0x7fff'1000'0000;
constexpr std::uint64_t kY = 0x5555'0000'0040;

// Locations, named after who executes them.
constexpr std::uint64_t kMainInit = 0x1000;
constexpr std::uint64_t kA = 0x2000;
constexpr std::uint64_t kB = 0x3000;
constexpr std::uint64_t kC = 0x4000;

class SharedMemoryMapTest : public ::testing::Test {
 protected:
  SharedMemoryMapTest() : map_(std::make_unique<SharedMemoryMap>()) {
    map_->prepare();
    map_->locations().log_to(SiteLog{site_, &sites_, 64});
  }

  TaskId create(TaskId creator = 0) {
    const TaskId child = map_->order().tasks();
    map_->order().created(child, creator);
    return child;
  }
  void join(TaskId task, TaskId joiner = 0) { map_->order().joined(task, joiner); }

  bool read(TaskId task, std::uint64_t address, std::uint64_t pc, std::uint64_t size = 4) {
    return map_->note(address, size, false, pc, task);
  }
  bool write(TaskId task, std::uint64_t address, std::uint64_t pc, std::uint64_t size = 4) {
    return map_->note(address, size, true, pc, task);
  }
  bool shared(std::uint64_t pc) { return map_->locations().is_shared(pc); }
  std::vector<std::uint64_t> logged() const { return {site_, site_ + sites_}; }

  std::unique_ptr<SharedMemoryMap> map_;
  std::uint64_t site_[64] = {};
  std::uint32_t sites_ = 0;
};

TEST_F(SharedMemoryMapTest, MemoryOfOneTaskIsNotShared) {
  const TaskId a = create();
  EXPECT_FALSE(write(a, kX, kA));
  EXPECT_FALSE(read(a, kX, kA));
  EXPECT_FALSE(write(a, kX, kB));
  EXPECT_TRUE(logged().empty());
}

TEST_F(SharedMemoryMapTest, TwoWritersAreShared) {
  const TaskId a = create();
  const TaskId b = create();
  EXPECT_FALSE(write(a, kX, kA));
  EXPECT_TRUE(write(b, kX, kB));
  EXPECT_TRUE(shared(kA)) << "the earlier location is known afterwards";
  EXPECT_TRUE(write(a, kX, kA));
}

TEST_F(SharedMemoryMapTest, WriterAndReaderAreSharedInEitherOrder) {
  const TaskId a = create();
  const TaskId b = create();
  write(a, kX, kA);
  EXPECT_TRUE(read(b, kX, kB));
  read(a, kY, kC);
  EXPECT_TRUE(write(b, kY, kMainInit));
  EXPECT_TRUE(shared(kC));
}

TEST_F(SharedMemoryMapTest, ReadersAloneAreNotShared) {
  const TaskId a = create();
  const TaskId b = create();
  EXPECT_FALSE(read(a, kX, kA));
  EXPECT_FALSE(read(b, kX, kB));
  EXPECT_FALSE(read(0, kX, kC));
  EXPECT_FALSE(read(a, kX, kA));
}

TEST_F(SharedMemoryMapTest, AWriteAfterSeveralReadersIsShared) {
  const TaskId a = create();
  const TaskId b = create();
  const TaskId c = create();
  read(a, kX, kA);
  read(b, kX, kB);
  EXPECT_TRUE(write(c, kX, kC));
  EXPECT_TRUE(shared(kA));
  EXPECT_TRUE(shared(kB));
}

TEST_F(SharedMemoryMapTest, TheOneReaderWhoWritesLaterDoesNotHideTheOther) {
  const TaskId a = create();
  const TaskId b = create();
  read(a, kX, kA);
  read(b, kX, kB);
  EXPECT_TRUE(write(b, kX, kC));
  EXPECT_TRUE(shared(kA));
}

TEST_F(SharedMemoryMapTest, WhatTheCreatorDidBeforeIsOrdered) {
  create();  // somebody else is live
  write(0, kX, kMainInit);
  const TaskId a = create();
  EXPECT_FALSE(write(a, kX, kA));
  EXPECT_FALSE(shared(kMainInit));
}

TEST_F(SharedMemoryMapTest, WhatTheCreatorDidAfterwardsIsNot) {
  const TaskId a = create();
  write(0, kX, kMainInit);
  EXPECT_TRUE(write(a, kX, kA));
}

TEST_F(SharedMemoryMapTest, AnAncestorsEarlierWorkIsOrderedThroughTheLine) {
  create();
  write(0, kX, kMainInit);
  const TaskId child = create(0);
  const TaskId grandchild = create(child);
  EXPECT_FALSE(write(grandchild, kX, kA));
  write(0, kY, kMainInit);  // after the creation of the line
  EXPECT_TRUE(write(grandchild, kY, kA));
}

TEST_F(SharedMemoryMapTest, ReadersCreatedAfterTheWriteAreNotShared) {
  create();
  write(0, kX, kMainInit);
  const TaskId a = create();
  const TaskId b = create();
  EXPECT_FALSE(read(a, kX, kA));
  EXPECT_FALSE(read(b, kX, kB));
}

TEST_F(SharedMemoryMapTest, AReaderFromBeforeTheWriteIsShared) {
  const TaskId old = create();
  write(0, kX, kMainInit);
  const TaskId a = create();
  EXPECT_FALSE(read(a, kX, kA));
  EXPECT_TRUE(read(old, kX, kB));
  EXPECT_TRUE(shared(kMainInit));
}

TEST_F(SharedMemoryMapTest, WhatAJoinedTaskDidIsOrderedForItsJoiner) {
  const TaskId a = create();
  create();
  write(a, kX, kA);
  join(a);
  EXPECT_FALSE(write(0, kX, kMainInit));
}

TEST_F(SharedMemoryMapTest, WhatAJoinedTaskDidIsNotOrderedForOthers) {
  const TaskId a = create();
  const TaskId b = create();
  write(a, kX, kA);
  join(a);
  EXPECT_TRUE(write(b, kX, kB)) << "b ran beside a; that the join came first is chance";
}

TEST_F(SharedMemoryMapTest, ATaskCreatedAfterTheJoinIsOrdered) {
  const TaskId a = create();
  create();
  write(a, kX, kA);
  join(a);
  const TaskId c = create();
  EXPECT_FALSE(write(c, kX, kC));
}

TEST_F(SharedMemoryMapTest, JoinsOfJoinersAreOrdered) {
  const TaskId a = create();
  create();
  const TaskId inner = create(a);
  write(inner, kX, kA);
  join(inner, a);
  join(a, 0);
  EXPECT_FALSE(write(0, kX, kMainInit));
}

TEST_F(SharedMemoryMapTest, PhasesThatAreJoinedCompletelyDoNotMeet) {
  const TaskId a = create();
  const TaskId b = create();
  read(a, kX, kA);
  read(b, kX, kB);
  join(a);
  join(b);
  const TaskId c = create();
  EXPECT_FALSE(write(c, kX, kC)) << "the several readers of the first phase are all joined";
}

TEST_F(SharedMemoryMapTest, AllLocationsThatTouchedTheMemoryAreMarked) {
  const TaskId a = create();
  const TaskId b = create();
  for (std::uint64_t pc = 1; pc <= 50; ++pc) EXPECT_FALSE(read(a, kX, pc));
  EXPECT_TRUE(write(b, kX, kB));
  for (std::uint64_t pc = 1; pc <= 50; ++pc) EXPECT_TRUE(shared(pc)) << pc;
  EXPECT_EQ(logged().size(), 51U);
}

TEST_F(SharedMemoryMapTest, ASharedLocationIsAPointEverywhere) {
  const TaskId a = create();
  const TaskId b = create();
  write(a, kX, kA);
  write(b, kX, kA);
  EXPECT_TRUE(write(a, kY, kA)) << "points are learned by location, so that they are known before the access";
  EXPECT_FALSE(write(a, kY, kC));
}

TEST_F(SharedMemoryMapTest, KnownLocationsArePointsFromTheStart) {
  const std::uint64_t known[] = {kA, kB};
  map_->locations().learn(known, 2);
  const TaskId a = create();
  EXPECT_TRUE(write(a, kX, kA));
  EXPECT_FALSE(write(a, kX, kC));
  EXPECT_TRUE(logged().empty()) << "known ones are not learned again";
}

TEST_F(SharedMemoryMapTest, NeighboursInDifferentGranulesDoNotMeet) {
  const TaskId a = create();
  const TaskId b = create();
  EXPECT_FALSE(write(a, kX, kA, 8));
  EXPECT_FALSE(write(b, kX + 8, kB, 8));
}

TEST_F(SharedMemoryMapTest, AnUnalignedAccessTouchesBothGranules) {
  const TaskId a = create();
  const TaskId b = create();
  EXPECT_FALSE(write(a, kX + 6, kA, 4));
  EXPECT_TRUE(write(b, kX + 8, kB, 1));
}

TEST_F(SharedMemoryMapTest, RangesCoverAllTheyTouchAcrossRegions) {
  const TaskId a = create();
  const TaskId b = create();
  const std::uint64_t start = 0x6000'0000'0000 - 0x100;  // ends in the next region
  EXPECT_FALSE(write(a, start, kA, 0x80000));
  EXPECT_TRUE(read(b, start + 0x80000 - 1, kB, 1));
  EXPECT_FALSE(read(b, start + 0x80000, kC, 1));
}

TEST_F(SharedMemoryMapTest, MemoryGivenBackIsForgotten) {
  const TaskId a = create();
  const TaskId b = create();
  write(a, kX, kA, 64);
  map_->forget(kX, 64);
  EXPECT_FALSE(write(b, kX, kB, 64));
}

TEST_F(SharedMemoryMapTest, AddressesOutsideTheProgramAreLeftAlone) {
  const TaskId a = create();
  const TaskId b = create();
  EXPECT_FALSE(write(a, 0xffff'ffff'ffff'f000, kA, 8));
  EXPECT_FALSE(write(b, 0xffff'ffff'ffff'f000, kB, 8));
}

TEST_F(SharedMemoryMapTest, TheSameAccessesLearnTheSameInTheSameOrder) {
  auto run = [](SharedMemoryMap& map, std::uint64_t* site, std::uint32_t* count) {
    map.prepare();
    map.locations().log_to(SiteLog{site, count, 64});
    map.order().created(1, 0);
    map.order().created(2, 0);
    for (std::uint64_t i = 0; i < 200; ++i) map.note(kX + 8 * (i % 13), 8, i % 3 == 0, 0x9000 + i % 29, 1 + i % 2);
  };
  auto other = std::make_unique<SharedMemoryMap>();
  std::uint64_t site[64] = {};
  std::uint32_t count = 0;
  run(*map_, site_, &sites_);
  run(*other, site, &count);
  EXPECT_EQ(logged(), std::vector<std::uint64_t>(site, site + count));
  EXPECT_GT(count, 0U);
}

}  // namespace
}  // namespace ravel

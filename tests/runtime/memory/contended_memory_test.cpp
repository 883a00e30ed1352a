// SPDX-License-Identifier: Apache-2.0
// Which code locations touch memory that tasks race for. Addresses and locations are plain numbers: nothing is
// accessed.
#include "runtime/memory/contended_memory.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace ravel {
namespace {

constexpr std::uint64_t kX = 0x7fff'1000'0000;
constexpr std::uint64_t kY = 0x5555'0000'0040;
constexpr std::uint64_t kA = 0x2000;
constexpr std::uint64_t kB = 0x3000;
constexpr std::uint64_t kC = 0x4000;

class ContendedMemoryTest : public ::testing::Test {
 protected:
  ContendedMemoryTest() : map_(std::make_unique<ContendedMemory>()) {
    map_->prepare();
    map_->locations().log_to(SiteLog{site_, &sites_, 64});
  }

  bool touch(std::uint64_t address, std::uint64_t pc, std::uint64_t size = 4) { return map_->note(address, size, pc); }
  // Accesses from these two places race for the memory.
  void race(std::uint64_t address, std::uint64_t one, std::uint64_t other) {
    Conflict conflict;
    conflict.other = slot(2, other);
    map_->raced(*map_->shadow().cell(address), slot(1, one), conflict);
  }
  AccessSlot slot(TaskId task, std::uint64_t pc) {
    return AccessSlot(Epoch(task, 1), false, map_->locations().at(pc).index, 0xf);
  }
  bool shared(std::uint64_t pc) { return map_->locations().is_shared(pc); }
  std::vector<std::uint64_t> logged() const { return {site_, site_ + sites_}; }

  std::unique_ptr<ContendedMemory> map_;
  std::uint64_t site_[64] = {};
  std::uint32_t sites_ = 0;
};

TEST_F(ContendedMemoryTest, MemoryThatNobodyRacesForHasNoPoints) {
  EXPECT_FALSE(touch(kX, kA));
  EXPECT_FALSE(touch(kX, kB));
  EXPECT_FALSE(touch(kX, kA));
  EXPECT_TRUE(logged().empty());
}

TEST_F(ContendedMemoryTest, ARaceMakesPointsOfBothItsPlaces) {
  touch(kX, kA);
  touch(kX, kB);
  race(kX, kA, kB);
  EXPECT_TRUE(shared(kA));
  EXPECT_TRUE(shared(kB));
  EXPECT_EQ(logged(), (std::vector<std::uint64_t>{kA, kB}));
}

TEST_F(ContendedMemoryTest, WhoTouchesContendedMemoryLaterIsAPoint) {
  touch(kX, kA);
  race(kX, kA, kA);
  EXPECT_TRUE(touch(kX, kB));
  EXPECT_FALSE(touch(kY, kC));
}

TEST_F(ContendedMemoryTest, ASharedLocationIsAPointEverywhere) {
  touch(kX, kA);
  race(kX, kA, kA);
  EXPECT_TRUE(touch(kY, kA)) << "points are learned by location, so that they are known before the access";
}

TEST_F(ContendedMemoryTest, KnownLocationsArePointsFromTheStart) {
  const std::uint64_t known[] = {kA, kB};
  map_->locations().learn(known, 2);
  EXPECT_TRUE(touch(kX, kA));
  EXPECT_FALSE(touch(kX, kC));
  EXPECT_TRUE(logged().empty()) << "known ones are not learned again";
}

TEST_F(ContendedMemoryTest, NeighboursInDifferentGranulesDoNotMeet) {
  race(kX, kA, kA);
  EXPECT_FALSE(touch(kX + 8, kB, 8));
  EXPECT_TRUE(touch(kX, kB, 8));
}

TEST_F(ContendedMemoryTest, AnUnalignedAccessTouchesBothGranules) {
  race(kX + 8, kA, kA);
  EXPECT_TRUE(touch(kX + 6, kB, 4));
}

TEST_F(ContendedMemoryTest, RangesCoverAllTheyTouchAcrossRegions) {
  const std::uint64_t start = 0x6000'0000'0000 - 0x100;  // ends in the next region
  race(start + 0x80000 - 1, kA, kA);
  EXPECT_TRUE(touch(start, kB, 0x80000));
  EXPECT_FALSE(touch(start + 0x80000, kC, 1));
}

TEST_F(ContendedMemoryTest, MemoryGivenBackIsForgotten) {
  race(kX, kA, kA);
  map_->forget(kX, 64);
  EXPECT_FALSE(touch(kX, kB, 64)) << "what was contended there is over";
}

TEST_F(ContendedMemoryTest, AddressesOutsideTheProgramAreLeftAlone) {
  EXPECT_FALSE(touch(0xffff'ffff'ffff'f000, kA, 8));
  EXPECT_FALSE(touch(0xffff'ffff'ffff'f000, kB, 8));
}

}  // namespace
}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
// Blocks and quarantine without any heap: addresses are just numbers here.
#include "runtime/memory/heap_blocks.h"

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <memory>

#include "base/random.h"

namespace ravel {
namespace {

constexpr std::uint64_t kHeap = 0x5555'5557'0000;
constexpr std::uint64_t kMapped = 0x7fff'f000'0010;  // where the allocator puts large blocks

struct HeapBlocksTest : ::testing::Test {
  HeapBlocksTest() { EXPECT_TRUE(blocks.prepare()); }
  HeapBlocks blocks;
};

TEST_F(HeapBlocksTest, RemembersWhatWasAllocated) {
  blocks.allocated(kHeap, 100, HeapKind::new_array, 3);
  const HeapBlock block = blocks.at(kHeap);
  ASSERT_TRUE(block);
  EXPECT_EQ(block.size, 100U);
  EXPECT_EQ(block.kind, HeapKind::new_array);
  EXPECT_EQ(block.allocated_by, 3U);
  EXPECT_FALSE(block.freed);
  EXPECT_EQ(block.freed_by, kNoTask);
}

TEST_F(HeapBlocksTest, MemoryNobodyAllocatedIsNoBlock) {
  EXPECT_FALSE(blocks.at(kHeap));
  EXPECT_FALSE(blocks.holding(kHeap));
  EXPECT_FALSE(blocks.at(0));
  EXPECT_FALSE(blocks.holding(0));
  EXPECT_FALSE(blocks.at(~std::uint64_t{0}));
  EXPECT_FALSE(blocks.holding(~std::uint64_t{0}));
  blocks.forget(kHeap);
  blocks.freed(kHeap, 1);
  blocks.change(kHeap, 5, HeapKind::malloc);
  EXPECT_FALSE(blocks.at(kHeap));
}

TEST_F(HeapBlocksTest, OnlyTheStartIsTheBlock) {
  blocks.allocated(kHeap, 100, HeapKind::malloc, 0);
  EXPECT_FALSE(blocks.at(kHeap + 16));
  EXPECT_FALSE(blocks.at(kHeap + 8));
  EXPECT_FALSE(blocks.at(kHeap - 16));
}

TEST_F(HeapBlocksTest, AnAddressInsideLeadsToTheBlock) {
  blocks.allocated(kHeap, 100, HeapKind::malloc, 0);
  blocks.allocated(kHeap + 112, 24, HeapKind::malloc, 1);
  EXPECT_EQ(blocks.holding(kHeap).start, kHeap);
  EXPECT_EQ(blocks.holding(kHeap + 99).start, kHeap);
  EXPECT_FALSE(blocks.holding(kHeap + 100));
  EXPECT_EQ(blocks.holding(kHeap + 112 + 23).start, kHeap + 112);
  EXPECT_FALSE(blocks.holding(kHeap + 112 + 24));
  EXPECT_FALSE(blocks.holding(kHeap - 1));
}

TEST_F(HeapBlocksTest, ABlockOfNoBytesHasAStart) {
  blocks.allocated(kHeap, 0, HeapKind::new_object, 0);
  EXPECT_TRUE(blocks.at(kHeap));
  EXPECT_EQ(blocks.holding(kHeap).start, kHeap);
  EXPECT_FALSE(blocks.holding(kHeap + 1));
}

TEST_F(HeapBlocksTest, TheInsideOfLargeBlocksIsKnownHoweverLarge) {
  for (const std::uint64_t size : {std::uint64_t{1} << 20, std::uint64_t{100} << 20, std::uint64_t{5} << 30}) {
    blocks.allocated(kMapped, size, HeapKind::malloc, 2);
    EXPECT_EQ(blocks.at(kMapped).size, size);
    EXPECT_EQ(blocks.holding(kMapped + size - 1).start, kMapped);
    EXPECT_FALSE(blocks.holding(kMapped + size));
    blocks.freed(kMapped, 4);
    EXPECT_EQ(blocks.holding(kMapped + size / 2).freed_by, 4U);
    blocks.forget(kMapped);
    EXPECT_FALSE(blocks.holding(kMapped + size / 2));
  }
}

TEST_F(HeapBlocksTest, ABlockAcrossTwoRegionsIsFoundFromItsEnd) {
  const std::uint64_t border = 0x5555'5580'0000;
  blocks.allocated(border - 32, 64, HeapKind::malloc, 0);
  EXPECT_EQ(blocks.holding(border + 16).start, border - 32);
}

TEST_F(HeapBlocksTest, FreedBlocksStayUntilForgotten) {
  blocks.allocated(kHeap, 8, HeapKind::malloc, 1);
  blocks.freed(kHeap, 16383);
  HeapBlock block = blocks.at(kHeap);
  EXPECT_TRUE(block.freed);
  EXPECT_EQ(block.allocated_by, 1U);
  EXPECT_EQ(block.freed_by, 16383U);
  blocks.freed(kHeap, 2);  // the first free counts
  EXPECT_EQ(blocks.at(kHeap).freed_by, 16383U);
  blocks.forget(kHeap);
  EXPECT_FALSE(blocks.at(kHeap));
  blocks.allocated(kHeap, 9, HeapKind::malloc, 2);
  EXPECT_FALSE(blocks.at(kHeap).freed);
}

TEST_F(HeapBlocksTest, AThreadThatIsNoTaskAllocatesToo) {
  blocks.allocated(kHeap, 8, HeapKind::malloc, kNoTask);
  EXPECT_EQ(blocks.at(kHeap).allocated_by, kNoTask);
}

TEST_F(HeapBlocksTest, ChangesOfALiveBlock) {
  blocks.allocated(kHeap, 8, HeapKind::malloc, 1);
  blocks.change(kHeap, 24, HeapKind::new_aligned_array);
  const HeapBlock block = blocks.at(kHeap);
  EXPECT_EQ(block.size, 24U);
  EXPECT_EQ(block.kind, HeapKind::new_aligned_array);
  EXPECT_EQ(block.allocated_by, 1U);
  blocks.change(kHeap, 4 << 20, HeapKind::malloc);
  EXPECT_EQ(blocks.holding(kHeap + (3 << 20)).start, kHeap);
  blocks.change(kHeap, 24, HeapKind::malloc);
  EXPECT_FALSE(blocks.holding(kHeap + (3 << 20)));
}

// Against a map, over a few regions.
TEST_F(HeapBlocksTest, AgreesWithAMapOfRanges) {
  Random random(7);
  std::map<std::uint64_t, std::uint64_t> expected;
  for (int step = 0; step < 20'000; ++step) {
    const std::uint64_t slot = random.below(4096);
    const std::uint64_t start = kHeap + slot * 4096;
    if (random.below(2) == 0) {
      if (expected.count(start) != 0) continue;
      const std::uint64_t size = random.below(4096);
      blocks.allocated(start, size, HeapKind::malloc, 0);
      expected[start] = size;
    } else {
      blocks.forget(start);
      expected.erase(start);
    }
    const std::uint64_t probe = kHeap + random.below(4096 * 4096);
    const auto after = expected.upper_bound(probe);
    const bool inside = after != expected.begin() &&
                        probe - std::prev(after)->first < std::max<std::uint64_t>(1, std::prev(after)->second);
    ASSERT_EQ(blocks.holding(probe).start, inside ? std::prev(after)->first : 0);
  }
}

TEST(QuarantineTest, OldestLeaveFirstWhenTheBoundIsPassed) {
  Quarantine quarantine;
  quarantine.prepare(1000);
  EXPECT_TRUE(quarantine.takes(960));
  EXPECT_FALSE(quarantine.takes(961));
  quarantine.add(0x10, 360);
  quarantine.add(0x20, 360);
  EXPECT_FALSE(quarantine.must_leave());
  quarantine.add(0x30, 360);
  ASSERT_TRUE(quarantine.must_leave());
  const Quarantine::Block oldest = quarantine.leave();
  EXPECT_EQ(oldest.start, 0x10U);
  EXPECT_EQ(oldest.bytes, 360U);
  EXPECT_FALSE(quarantine.must_leave());
}

TEST(QuarantineTest, OfNothingTakesNothing) {
  Quarantine quarantine;
  quarantine.prepare(0);
  EXPECT_FALSE(quarantine.takes(0));
  EXPECT_FALSE(Quarantine{}.takes(0));
}

TEST(QuarantineTest, CanBeLimitedFurther) {
  Quarantine quarantine;
  quarantine.prepare(1000);
  quarantine.limit(2000);
  EXPECT_EQ(quarantine.bound(), 1000U);
  quarantine.limit(500);
  EXPECT_TRUE(quarantine.takes(460));
  EXPECT_FALSE(quarantine.takes(461));
}

TEST(QuarantineTest, KeepsTheOrderAndTheBoundForEver) {
  Quarantine quarantine;
  quarantine.prepare(64 << 10);
  std::deque<std::pair<std::uint64_t, std::uint64_t>> expected;
  Random random(3);
  for (std::uint64_t i = 1; i <= 100'000; ++i) {
    const std::uint64_t bytes = random.below(8) == 0 ? random.below(8000) : random.below(64);
    quarantine.add(i * 16, bytes);
    expected.emplace_back(i * 16, bytes);
    while (quarantine.must_leave()) {
      const Quarantine::Block block = quarantine.leave();
      ASSERT_EQ(block.start, expected.front().first);
      ASSERT_EQ(block.bytes, expected.front().second);
      expected.pop_front();
    }
    ASSERT_LE(quarantine.held(), quarantine.bound());
  }
  EXPECT_GT(expected.size(), 10U);
}

}  // namespace
}  // namespace ravel

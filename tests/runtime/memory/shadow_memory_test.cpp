// SPDX-License-Identifier: Apache-2.0
// ShadowMemory: whatever is folded and unfolded, each granule has the cell that it would have without.
#include "runtime/memory/shadow_memory.h"

#include <gtest/gtest.h>

#include <map>

#include "base/random.h"

namespace ravel {
namespace {

constexpr std::uint64_t kStart = 0x7f0000000000;
constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t kRegion = 256 << 10;

std::uint64_t granule(std::uint64_t address) { return address >> ShadowMemory::kGranuleBits; }

class ShadowMemoryTest : public ::testing::Test {
 protected:
  void SetUp() override { shadow_.prepare(); }

  // As an access to the range does it; returns how many cells were looked at.
  std::uint64_t write(std::uint64_t address, std::uint64_t size, std::uint64_t value) {
    std::uint64_t looked_at = 0;
    const auto fold = [&](ShadowCell& page) {
      ++looked_at;
      page.last_write = value;
      return true;
    };
    shadow_.for_range(granule(address), granule(address + size), true, fold, [&](ShadowCell& cell, std::uint64_t) {
      ++looked_at;
      cell.last_write = value;
    });
    return looked_at;
  }
  std::uint64_t value_at(std::uint64_t address) const { return shadow_.contents(address).last_write; }

  ShadowMemory shadow_;
};

TEST_F(ShadowMemoryTest, ALongRangeCostsOneLookForEachPage) {
  EXPECT_EQ(write(kStart, 16 * kRegion, 7), 16 * kRegion / kPage);
  EXPECT_EQ(value_at(kStart), 7U);
  EXPECT_EQ(value_at(kStart + 16 * kRegion - 8), 7U);
  EXPECT_EQ(value_at(kStart + 16 * kRegion), 0U);
  EXPECT_EQ(write(kStart, 16 * kRegion, 8), 16 * kRegion / kPage);
}

TEST_F(ShadowMemoryTest, TheEndsOfARangeAreLookedAtOneByOne) {
  EXPECT_EQ(write(kStart + kPage - 16, 2 * kPage + 24, 7), 2U + 2 + 1);
  EXPECT_EQ(value_at(kStart + kPage - 24), 0U);
  EXPECT_EQ(value_at(kStart + kPage - 16), 7U);
  EXPECT_EQ(value_at(kStart + 3 * kPage), 7U);
  EXPECT_EQ(value_at(kStart + 3 * kPage + 8), 0U);
}

TEST_F(ShadowMemoryTest, ASingleAccessUnfoldsItsPage) {
  write(kStart, 4 * kPage, 7);
  EXPECT_EQ(shadow_.seen_cell(kStart), nullptr);  // the fast path must not find what is folded
  shadow_.cell(kStart + kPage + 8)->last_write = 9;
  EXPECT_EQ(value_at(kStart + kPage), 7U);
  EXPECT_EQ(value_at(kStart + kPage + 8), 9U);
  EXPECT_EQ(value_at(kStart + 2 * kPage - 8), 7U);
  EXPECT_EQ(value_at(kStart), 7U);
}

TEST_F(ShadowMemoryTest, ARegionOfSingleAccessesGetsItsCellsBack) {
  write(kStart, kRegion, 7);
  for (std::uint64_t i = 0; i < 100; ++i) shadow_.cell(kStart + 8 * i)->last_write = 100 + i;
  ASSERT_NE(shadow_.seen_cell(kStart), nullptr);
  EXPECT_EQ(shadow_.seen_cell(kStart + 8 * 99)->last_write, 199U);
  EXPECT_EQ(shadow_.seen_cell(kStart + kRegion - 8)->last_write, 7U);
}

TEST_F(ShadowMemoryTest, WhatWasNeverTouchedIsNotVisited) {
  write(kStart, kPage, 7);
  std::uint64_t visited = 0;
  const auto fold = [&](ShadowCell&) { return ++visited, true; };
  shadow_.for_range(granule(kStart), granule(kStart + 8 * kRegion), false, fold,
                    [&](ShadowCell&, std::uint64_t) { ++visited; });
  EXPECT_EQ(visited, 1U);
}

TEST_F(ShadowMemoryTest, CellsThatDoNotAgreeAreVisited) {
  write(kStart, kPage, 7);
  std::uint64_t visited = 0;
  const auto visit = [&](ShadowCell& cell, std::uint64_t number) {
    ++visited;
    cell.last_write = number;
  };
  shadow_.for_range(
      granule(kStart), granule(kStart + kPage), true, [](ShadowCell&) { return false; }, visit);
  EXPECT_EQ(visited, kPage / 8);
  EXPECT_EQ(value_at(kStart + 8), granule(kStart + 8));
}

// Against a table of granules, with every mixture of accesses.
TEST_F(ShadowMemoryTest, IsTheSameAsCellsAlone) {
  constexpr std::uint64_t kBytes = 3 * kRegion;
  Random random(1);
  std::map<std::uint64_t, std::uint64_t> expected;
  for (std::uint64_t step = 1; step <= 600; ++step) {
    std::uint64_t start = random.below(kBytes / 8) * 8;
    if (random.below(3) != 0) start &= ~(kPage - 1);
    if (random.below(4) == 0) {
      shadow_.cell(kStart + start)->last_write = step;
      expected[start] = step;
      continue;
    }
    std::uint64_t size = (1 + random.below(random.below(2) == 0 ? 64 : kBytes / 8)) * 8;
    if (random.below(2) == 0) size = (size + kPage - 1) & ~(kPage - 1);
    size = std::min(size, kBytes - start);
    const bool folds = random.below(4) != 0;
    const auto fold = [&](ShadowCell& page) {
      if (folds) page.last_write = step;
      return folds;
    };
    shadow_.for_range(granule(kStart + start), granule(kStart + start + size), true, fold,
                      [&](ShadowCell& cell, std::uint64_t) { cell.last_write = step; });
    for (std::uint64_t at = start; at < start + size; at += 8) expected[at] = step;
  }
  for (std::uint64_t at = 0; at < kBytes; at += 8) {
    const auto known = expected.find(at);
    ASSERT_EQ(value_at(kStart + at), known == expected.end() ? 0 : known->second) << at;
  }
}

}  // namespace
}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
#include "runtime/memory/growing_table.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace ravel {
namespace {

TEST(GrowingTable, KeepsItsEntriesWhenItMoves) {
  constexpr std::size_t kMost = std::size_t{1} << 20;
  GrowingTable<std::uint64_t> table;
  ASSERT_TRUE(table.prepare(kMost));
  const std::uint64_t* const before = &table[0];
  for (std::size_t n = 0; n < kMost; ++n) {
    ASSERT_TRUE(table.make_room(n));
    ASSERT_EQ(table[n], 0U);
    table[n] = n + 7;
  }
  EXPECT_NE(&table[0], before);
  for (std::size_t n = 0; n < kMost; ++n) ASSERT_EQ(table[n], n + 7);
  EXPECT_FALSE(table.make_room(kMost));
}

TEST(GrowingTable, StaysWhereItIsOnceItUsesAll) {
  constexpr std::size_t kMost = std::size_t{1} << 20;
  GrowingTable<std::uint32_t> table;
  ASSERT_TRUE(table.prepare(kMost));
  table[3] = 5;
  table.use_all();
  std::uint32_t* const entry = &table[3];
  EXPECT_EQ(*entry, 5U);
  EXPECT_TRUE(table.make_room(kMost - 1));
  EXPECT_EQ(&table[3], entry);
  EXPECT_EQ(table.number_of(entry), 3U);
}

TEST(GrowingTable, NeedNotMoveWhenItIsSmall) {
  GrowingTable<std::uint64_t> table;
  ASSERT_TRUE(table.prepare(100));
  std::uint64_t* const first = &table[0];
  EXPECT_TRUE(table.make_room(99));
  EXPECT_FALSE(table.make_room(100));
  EXPECT_EQ(&table[0], first);
}

}  // namespace
}  // namespace ravel

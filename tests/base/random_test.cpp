// SPDX-License-Identifier: Apache-2.0
#include "base/random.h"

#include <gtest/gtest.h>

#include <array>
#include <set>

namespace ravel {
namespace {

// Schedules name a seed, so the numbers that follow from it are part of the format: these are splitmix64's own.
TEST(Random, GivesTheNumbersOfSplitmix64) {
  Random random(1234567);
  EXPECT_EQ(random.next(), 6457827717110365317ULL);
  EXPECT_EQ(random.next(), 3203168211198807973ULL);
  EXPECT_EQ(random.next(), 9817491932198370423ULL);
}

TEST(Random, SameSeedSameNumbers) {
  Random a(9);
  Random b(9);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(a.below(1000), b.below(1000));
}

TEST(Random, NeighbouringSeedsDiffer) {
  std::set<std::uint64_t> first;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) first.insert(Random(seed).next());
  EXPECT_EQ(first.size(), 1000U);
}

// 60,000 throws of a die: each face 10,000 times, standard deviation 91; the seed is fixed, so this never flickers.
TEST(Random, BelowIsUniform) {
  Random random(1);
  std::array<int, 6> faces{};
  for (int i = 0; i < 60000; ++i) ++faces[random.below(6)];
  for (const int count : faces) EXPECT_NEAR(count, 10000, 400);
}

TEST(Random, BelowOneIsZero) {
  Random random(5);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(random.below(1), 0U);
}

TEST(Random, OneInPowerOfTwo) {
  Random random(2);
  int hits = 0;
  for (int i = 0; i < 80000; ++i) hits += random.one_in_power_of_two(3) ? 1 : 0;
  EXPECT_NEAR(hits, 10000, 400);
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(random.one_in_power_of_two(0));
}

TEST(Random, UnitStaysBelowOne) {
  Random random(3);
  double sum = 0;
  for (int i = 0; i < 10000; ++i) {
    const double value = random.unit();
    ASSERT_GE(value, 0.0);
    ASSERT_LT(value, 1.0);
    sum += value;
  }
  EXPECT_NEAR(sum / 10000, 0.5, 0.02);
}

// Operation hashes stand in schedule files: a change of hash_mix needs a new format version.
TEST(HashMix, NeverChangesWithinAFormatVersion) { EXPECT_EQ(hash_mix(hash_mix(0, 1), 2), 0x857e62ca7bdd4226ULL); }

TEST(HashMix, OrderMatters) { EXPECT_NE(hash_mix(hash_mix(0, 1), 2), hash_mix(hash_mix(0, 2), 1)); }

}  // namespace
}  // namespace ravel

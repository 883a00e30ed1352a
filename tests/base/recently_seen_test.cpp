// SPDX-License-Identifier: Apache-2.0
#include "base/recently_seen.h"

#include <gtest/gtest.h>

#include <unordered_set>

#include "base/random.h"

namespace ravel {
namespace {

TEST(RecentlySeen, KnowsTheKeyOfAMomentAgo) {
  RecentlySeen recent;
  EXPECT_FALSE(recent.again(0));
  EXPECT_TRUE(recent.again(0));
  EXPECT_FALSE(recent.again(7));
  EXPECT_TRUE(recent.again(7));
}

TEST(RecentlySeen, NeverClaimsToHaveSeenWhatItHasNot) {
  RecentlySeen recent;
  std::unordered_set<std::uint64_t> seen;
  Random random(1);
  for (int i = 0; i < 100'000; ++i) {
    const std::uint64_t key = random.below(3000) * 0x9e3779b97f4a7c15ULL;
    if (recent.again(key)) {
      EXPECT_TRUE(seen.contains(key));
    }
    seen.insert(key);
  }
  EXPECT_EQ(seen.size(), 3000U);
}

}  // namespace
}  // namespace ravel

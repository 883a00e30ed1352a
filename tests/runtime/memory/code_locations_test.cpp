// SPDX-License-Identifier: Apache-2.0
#include "runtime/memory/code_locations.h"

#include <gtest/gtest.h>

#include "runtime/memory/location_sets.h"

namespace ravel {
namespace {

TEST(CodeLocations, NumbersAreDenseAndStable) {
  CodeLocations locations;
  for (std::uint64_t i = 1; i <= 5000; ++i) EXPECT_EQ(locations.at(i * 16).index, i);
  for (std::uint64_t i = 1; i <= 5000; ++i) EXPECT_EQ(locations.at(i * 16).index, i) << "after the table has grown";
}

TEST(CodeLocations, LearnsOnlyWhatIsNew) {
  CodeLocations locations;
  std::uint64_t sites[] = {10, 20, 30};
  locations.learn(sites, 2);
  EXPECT_TRUE(locations.is_shared(20));
  EXPECT_FALSE(locations.is_shared(30));
  locations.learn(sites, 3);
  EXPECT_TRUE(locations.is_shared(30));
}

TEST(CodeLocations, GoesBackToFewerKnownSites) {
  CodeLocations locations;
  const std::uint64_t sites[] = {10, 20, 30};
  locations.learn(sites, 3);
  locations.learn(sites, 1);
  EXPECT_TRUE(locations.is_shared(10));
  EXPECT_FALSE(locations.is_shared(20));
}

TEST(CodeLocations, AFullLogStillMarks) {
  CodeLocations locations;
  std::uint64_t site[1] = {};
  std::uint32_t count = 0;
  locations.log_to(SiteLog{site, &count, 1});
  locations.mark_shared(locations.at(10).index);
  locations.mark_shared(locations.at(20).index);
  EXPECT_EQ(count, 1U);
  EXPECT_EQ(site[0], 10U);
  EXPECT_TRUE(locations.is_shared(20));
}

TEST(LocationSets, AddingAMemberGivesTheSameSet) {
  LocationSets sets;
  const std::uint32_t ab = sets.add(sets.add(0, 1), 2);
  EXPECT_EQ(sets.add(ab, 1), ab);
  EXPECT_EQ(sets.add(ab, 2), ab);
  EXPECT_EQ(sets.add(sets.add(0, 1), 2), ab);
  EXPECT_NE(sets.add(ab, 3), ab);
}

TEST(LocationSets, HoldsAllMembersOnce) {
  LocationSets sets;
  std::uint32_t set = 0;
  for (int round = 0; round < 2; ++round) {
    for (std::uint32_t i = 1; i <= 3000; ++i) set = sets.add(set, i);
  }
  std::uint64_t sum = 0;
  std::uint32_t members = 0;
  sets.for_each(set, [&](std::uint32_t location) {
    sum += location;
    ++members;
  });
  EXPECT_EQ(members, 3000U);
  EXPECT_EQ(sum, 3000U * 3001U / 2);
}

}  // namespace
}  // namespace ravel

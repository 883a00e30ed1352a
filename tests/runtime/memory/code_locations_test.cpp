// SPDX-License-Identifier: Apache-2.0
#include "runtime/memory/code_locations.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace ravel

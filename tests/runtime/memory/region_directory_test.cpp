// SPDX-License-Identifier: Apache-2.0
#include "runtime/memory/region_directory.h"

#include <gtest/gtest.h>

#include <map>

namespace ravel {
namespace {

class RegionDirectoryTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(directory_.prepare()); }
  RegionDirectory directory_;
};

TEST_F(RegionDirectoryTest, KnowsNothingAtFirst) {
  EXPECT_EQ(directory_.at(0), 0);
  EXPECT_EQ(directory_.at(RegionDirectory::kRegions - 1), 0);
  EXPECT_EQ(directory_.at(RegionDirectory::kRegions), 0);
  EXPECT_EQ(directory_.at(~std::uint64_t{0} >> RegionDirectory::kRegionBits), 0);
}

// Regions everywhere, more than there are places in the first page, many of them for the same place.
TEST_F(RegionDirectoryTest, TellsRegionsApart) {
  std::map<std::uint64_t, std::int32_t> numbers;
  std::int32_t number = 0;
  for (std::uint64_t region = 0; region < 2000; ++region) numbers[region] = ++number;
  for (std::uint64_t region = 1; region < RegionDirectory::kRegions; region *= 2) numbers[region] = ++number;
  numbers[RegionDirectory::kRegions - 1] = ++number;
  for (const auto& [region, it] : numbers) ASSERT_EQ(directory_.add(region, it), it) << region;
  for (const auto& [region, it] : numbers) ASSERT_EQ(directory_.at(region), it) << region;
  EXPECT_EQ(directory_.at(3000), 0);
  EXPECT_EQ(directory_.at(RegionDirectory::kRegions + 1), 0);
}

TEST_F(RegionDirectoryTest, AddsOnce) {
  for (const std::uint64_t region : {std::uint64_t{5}, std::uint64_t{5 + 512}}) {
    EXPECT_EQ(directory_.add(region, 1), 1);
    EXPECT_EQ(directory_.add(region, 2), 1);
    EXPECT_EQ(directory_.at(region), 1);
  }
}

TEST_F(RegionDirectoryTest, ChangesNumbers) {
  for (const std::uint64_t region : {std::uint64_t{9}, std::uint64_t{9 + 512}}) {
    directory_.add(region, 4);
    directory_.change(region, -4);
    EXPECT_EQ(directory_.at(region), -4);
  }
}

}  // namespace
}  // namespace ravel

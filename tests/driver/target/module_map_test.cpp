// SPDX-License-Identifier: Apache-2.0
#include "driver/target/module_map.h"

#include <cstdio>
#include <vector>

#include <gtest/gtest.h>

namespace ravel {
namespace {

ModuleRecord module(std::uint64_t start, std::uint64_t end, const char* path) {
  ModuleRecord record;
  record.start = start;
  record.end = end;
  record.bias = start;
  std::snprintf(record.path, sizeof record.path, "%s", path);
  return record;
}

TEST(ModuleMap, GivesPlacesThatFitAnotherLayout) {
  const std::vector<ModuleRecord> here = {module(0x1000, 0x2000, ""), module(0x5000, 0x6000, "/lib/a.so")};
  const std::vector<ModuleRecord> there = {module(0x7000, 0x8000, "/lib/a.so"), module(0x3000, 0x4000, "")};
  const ModuleMap first("/bin/prog", here);
  const ModuleMap second("/bin/prog", there);
  ModuleNames names("/bin/prog");
  const CodeLocation in_program = first.location(0x1010, names);
  const CodeLocation in_library = first.location(0x5020, names);
  EXPECT_EQ(in_program, (CodeLocation{0, 0x10}));
  EXPECT_EQ(in_library, (CodeLocation{1, 0x20}));
  EXPECT_EQ(second.address(in_program, names.paths()), 0x3010U);
  EXPECT_EQ(second.address(in_library, names.paths()), 0x7020U);
}

TEST(ModuleMap, KnowsWhatItHasNotLoaded) {
  const ModuleMap map("/bin/prog", {});
  ModuleNames names("/bin/prog");
  names.index_of("/lib/gone.so");
  EXPECT_FALSE(map.address({1, 0x10}, names.paths()).has_value());
  EXPECT_FALSE(map.address({7, 0x10}, names.paths()).has_value());
}

TEST(ModuleMap, KeepsCodeInNoFileByAddress) {
  const ModuleMap map("/bin/prog", {});
  ModuleNames names("/bin/prog");
  const CodeLocation generated = map.location(0x1234, names);
  EXPECT_EQ(map.address(generated, names.paths()), 0x1234U);
}

}  // namespace
}  // namespace ravel

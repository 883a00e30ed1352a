// SPDX-License-Identifier: Apache-2.0
// Calls by numbers: how a harness reads them, and which combinations of values there are.
#include "driver/reproduce/call.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/driver/reproduce/sample_listing.h"

namespace ravel {
namespace {

TEST(Calls, AreNumbersForTheHarness) {
  EXPECT_EQ(sequence_text({{0, {1}}, {3, {2}}, {1, {}}}), "0 1;3 2;1");
  EXPECT_EQ(sequence_text({}), "");
}

TEST(Calls, CoverEveryCombinationOfFewValues) {
  const ClassListing listing = testing::sample_listing();
  EXPECT_EQ(possible_calls(listing, 1), (std::vector<Call>{{1, {}}}));
  EXPECT_EQ(possible_calls(listing, 3), (std::vector<Call>{{3, {0}}, {3, {1}}, {3, {2}}}));
}

TEST(Calls, ShowEachOfManyValues) {
  ClassListing listing = testing::sample_listing();
  listing.pools[0].values.assign(6, "0");
  listing.operations[2].pools = {0, 0, 0};
  const std::vector<Call> calls = possible_calls(listing, 2);
  EXPECT_EQ(calls.size(), 24U);  // of 216
  for (std::size_t parameter = 0; parameter < 3; ++parameter) {
    std::set<unsigned> seen;
    for (const Call& call : calls) seen.insert(call.values[parameter]);
    EXPECT_EQ(seen.size(), 6U) << parameter;
  }
  EXPECT_EQ(std::set<Call>(calls.begin(), calls.end()).size(), calls.size());
}

}  // namespace
}  // namespace ravel

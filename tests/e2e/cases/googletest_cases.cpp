// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "account.h"

TEST(Account, Passes) { EXPECT_EQ(two_locked_deposits(), 2); }
TEST(Account, LosesAnUpdate) { EXPECT_EQ(two_unlocked_deposits(), 2); }
TEST(Account, Races) { racing_increments(); }
TEST(Account, Deadlocks) { locks_in_both_orders(); }
TEST(Account, Asserts) { assertion_of_the_program(); }
TEST(Account, HasNoThreads) { EXPECT_EQ(1 + 1, 2); }
TEST(Account, DISABLED_Fails) { FAIL(); }

class Sizes : public testing::TestWithParam<int> {};
TEST_P(Sizes, Pass) { EXPECT_EQ(two_locked_deposits(), 2) << GetParam(); }
INSTANTIATE_TEST_SUITE_P(Small, Sizes, testing::Values(1, 2));

template <typename T>
class Typed : public testing::Test {};
struct Names {
  template <typename T>
  static std::string GetName(int number) {
    return number == 0 ? "int" : "std::string-like";
  }
};
using Types = testing::Types<int, char>;
TYPED_TEST_SUITE(Typed, Types, Names);
TYPED_TEST(Typed, IsFine) { EXPECT_EQ(sizeof(TypeParam), sizeof(TypeParam)); }

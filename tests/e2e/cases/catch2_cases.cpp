// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "account.h"

TEST_CASE("passes", "[fast]") { CHECK(two_locked_deposits() == 2); }
TEST_CASE("loses an update, sometimes [really]") { CHECK(two_unlocked_deposits() == 2); }
TEST_CASE("races") { racing_increments(); }
TEST_CASE("deadlocks") { locks_in_both_orders(); }
TEST_CASE("~asserts \\ \"in quotes\"") { assertion_of_the_program(); }
TEST_CASE("has no threads", "[fast]") {
  SECTION("one") { CHECK(1 + 1 == 2); }
  SECTION("two, with a comma") { CHECK(2 + 2 == 4); }
}
TEST_CASE("hidden", "[.]") { FAIL(); }

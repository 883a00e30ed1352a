// SPDX-License-Identifier: Apache-2.0
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include "account.h"

TEST_CASE("passes") { CHECK(two_locked_deposits() == 2); }
TEST_CASE("loses an update, sometimes") { CHECK(two_unlocked_deposits() == 2); }
TEST_CASE("races") { racing_increments(); }
TEST_CASE("deadlocks") { locks_in_both_orders(); }
TEST_CASE("asserts \\ with a backslash") { assertion_of_the_program(); }
TEST_CASE("has no threads") {
  SUBCASE("one") { CHECK(1 + 1 == 2); }
  SUBCASE("two") { CHECK(2 + 2 == 4); }
}
TEST_CASE("Passes") { CHECK(1 + 1 == 2); }
TEST_CASE("a; b [c]") { CHECK(1 + 1 == 2); }
TEST_CASE("skipped" * doctest::skip()) { CHECK(1 + 1 == 3); }

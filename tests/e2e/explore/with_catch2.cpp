// SPDX-License-Identifier: Apache-2.0
// Every body in Catch2, its own assertions, and ordinary tests between them.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>

#include "bodies.h"

#define BODY(function, test, kind) \
  RAVEL_TEST(Body, test) { bodies::function(); }
BODIES(BODY)
#define OPTION_BODY(function, test, kind)                                                                 \
  TEST_CASE("Body." #test) {                                                                              \
    const ravel::ExploreResult result = ravel::explore(bodies::options_for(#function), bodies::function); \
    INFO(result);                                                                                         \
    CHECK(result.passed);                                                                                 \
  }
OPTION_BODIES(OPTION_BODY)
using bodies::lost_update;

RAVEL_TEST(Framework, Check) { CHECK(lost_update() == 2); }
RAVEL_TEST(Framework, Require) { REQUIRE(lost_update() == 2); }
RAVEL_TEST(Framework, InThread) {
  std::atomic<bool> flag{false};
  std::thread other([&] { CHECK_FALSE(flag); });
  flag = true;
  other.join();
}

TEST_CASE("Ordinary, with a comma") {
  CHECK(1 + 1 == 2);
  SECTION("first") { CHECK(ravel::explore(bodies::passes).passed); }
  SECTION("second") {
    const ravel::ExploreResult result = ravel::explore([] { CHECK(lost_update() == 2); });
    INFO(result);
    CHECK(result.passed);
  }
}

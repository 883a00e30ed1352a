// SPDX-License-Identifier: Apache-2.0
// Every body in doctest, its own assertions, and ordinary tests between them.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include "bodies.h"

#define BODY(function, test, kind) \
  RAVEL_TEST(Body, test) { bodies::function(); }
BODIES(BODY)
#define OPTION_BODY(function, test, kind)                                                                 \
  TEST_CASE("Body." #test) {                                                                              \
    const ravel::ExploreResult result = ravel::explore(bodies::options_for(#function), bodies::function); \
    CHECK_MESSAGE(result.passed, result.message);                                                         \
  }
OPTION_BODIES(OPTION_BODY)
using bodies::lost_update;

RAVEL_TEST(Framework, Check) { CHECK(lost_update() == 2); }
RAVEL_TEST(Framework, Require) { REQUIRE(lost_update() == 2); }
RAVEL_TEST(Framework, InThread) {
  std::atomic<bool> flag{false};
  std::thread other([&] { CHECK_FALSE(flag.load()); });
  flag = true;
  other.join();
}

TEST_CASE("Ordinary, with a comma") {
  CHECK(1 + 1 == 2);
  SUBCASE("first") { CHECK(ravel::explore(bodies::passes).passed); }
  SUBCASE("second") {
    const ravel::ExploreResult result = ravel::explore([] { CHECK(lost_update() == 2); });
    CHECK_MESSAGE(result.passed, result.message);
  }
}

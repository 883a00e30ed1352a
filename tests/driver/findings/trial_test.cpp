// SPDX-License-Identifier: Apache-2.0
// Every execution can be written down as directions.
#include "driver/findings/trial.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/driver/findings/trace_script.h"

namespace ravel {
namespace {

// A short sleep lets the others go first, but the sleeper may be chosen all the same. Without a direction for that the
// run would leave it there.
TEST(Directions, SayThatATaskWentOnAfterItHadYielded) {
  TraceScript script(R"(
    1 start
    1 sleep
    1 atomic-load flag
    2 atomic-store flag
  )");
  script.trace[1].flags |= kTraceYielded;
  const Directions directions = directions_of(script.decisions, script.trace);
  const Direction goes_on{1, 1, DirectionKind::go_to, 0, 1};
  const Direction switches{1, 3, DirectionKind::go_to, 0, 2};
  EXPECT_TRUE(std::binary_search(directions.begin(), directions.end(), goes_on));
  EXPECT_TRUE(std::binary_search(directions.begin(), directions.end(), switches));
}

TEST(Directions, SayNothingOfATaskThatWentOnByItself) {
  const TraceScript script(R"(
    1 start
    1 yield
    1 atomic-load flag
  )");
  const Directions directions = directions_of(script.decisions, script.trace);
  EXPECT_EQ(directions, (Directions{{0, 0, DirectionKind::go_to, 0, 1}})) << "nobody else could run";
}

}  // namespace
}  // namespace ravel

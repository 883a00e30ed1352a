// SPDX-License-Identifier: Apache-2.0
// The test of docs/tutorial.md: every schedule of its body is explored.
#include <gtest/gtest.h>
#include <ravel/explore.h>

#include <thread>

#include "tickets.h"

RAVEL_TEST(Tickets, LastOne) {
  Tickets tickets(1);
  std::thread other([&] { tickets.sell(); });
  tickets.sell();
  other.join();
  EXPECT_EQ(tickets.left(), 0);
}

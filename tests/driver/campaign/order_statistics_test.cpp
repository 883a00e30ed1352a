// SPDX-License-Identifier: Apache-2.0
#include "driver/campaign/order_statistics.h"

#include <gtest/gtest.h>

namespace ravel {
namespace {

TEST(OrderStatistics, KnowsNothingBeforeTheFirstExecution) {
  const OrderStatistics orders;
  EXPECT_EQ(orders.distinct(), 0U);
  EXPECT_EQ(orders.unseen_probability(), 1.0);
}

// Orders a a b c: of four executions, two (b and c) showed an order seen once.
TEST(OrderStatistics, EstimatesByTheShareOfOrdersSeenOnce) {
  OrderStatistics orders;
  for (const std::uint64_t order : {10, 10, 20, 30}) orders.add(order);
  EXPECT_EQ(orders.distinct(), 3U);
  EXPECT_DOUBLE_EQ(orders.unseen_probability(), 0.5);
}

TEST(OrderStatistics, ReachesZeroWhenEveryOrderCameAgain) {
  OrderStatistics orders;
  for (const std::uint64_t order : {1, 2, 1, 2, 2}) orders.add(order);
  EXPECT_EQ(orders.unseen_probability(), 0.0);
}

}  // namespace
}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
#include "driver/noise/fork_join_order.h"

#include <gtest/gtest.h>

namespace ravel {
namespace {

TEST(ForkJoinOrderTest, WhatComesBeforeACreationComesBeforeTheChild) {
  ForkJoinOrder order;
  order.created(0, 1);
  EXPECT_EQ(order.stretch_of(0), 1U);
  EXPECT_TRUE(order.is_before(0, 0, 1, 0));
  EXPECT_FALSE(order.is_before(0, 1, 1, 0));
  EXPECT_FALSE(order.is_before(1, 0, 0, 1));
}

TEST(ForkJoinOrderTest, AChildComesBeforeWhatFollowsItsJoin) {
  ForkJoinOrder order;
  order.created(0, 1);
  order.created(0, 2);
  order.joined(0, 1);
  EXPECT_TRUE(order.is_before(1, 0, 0, 3));
  EXPECT_FALSE(order.is_before(1, 0, 0, 2));
  EXPECT_FALSE(order.is_before(2, 0, 0, 3));
  EXPECT_FALSE(order.is_before(1, 0, 2, 0)) << "both may run at once";
}

TEST(ForkJoinOrderTest, OrderPassesOnThroughThreads) {
  ForkJoinOrder order;
  order.created(1, 2);  // added before its own creation: threads are added one after the other
  order.joined(1, 2);
  order.created(0, 1);
  order.joined(0, 1);
  order.created(0, 3);
  EXPECT_TRUE(order.is_before(0, 0, 2, 0));
  EXPECT_TRUE(order.is_before(2, 0, 0, 2));
  EXPECT_TRUE(order.is_before(2, 0, 3, 0));
  EXPECT_FALSE(order.is_before(0, 1, 2, 0));
}

TEST(ForkJoinOrderTest, ARecordThatCannotBeTrueEnds) {
  ForkJoinOrder order;
  order.joined(1, 2);
  order.joined(2, 1);
  order.created(3, 2);
  EXPECT_FALSE(order.is_before(3, 0, 1, 0));
  EXPECT_TRUE(order.is_before(2, 0, 1, 1));
}

}  // namespace
}  // namespace ravel

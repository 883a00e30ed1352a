// SPDX-License-Identifier: Apache-2.0
// Values from the published formula (R: prop.test without correction).
#include "driver/noise/failure_rate.h"

#include <gtest/gtest.h>

namespace ravel {
namespace {

TEST(FailureRateTest, WilsonsInterval) {
  const FailureRate rate{1000, 412};
  EXPECT_DOUBLE_EQ(rate.rate(), 0.412);
  EXPECT_NEAR(rate.interval().low, 0.38188, 1e-4);
  EXPECT_NEAR(rate.interval().high, 0.44280, 1e-4);
}

TEST(FailureRateTest, NeverAndAlways) {
  const FailureRate never{1000, 0};
  EXPECT_EQ(never.interval().low, 0);
  EXPECT_NEAR(never.interval().high, 0.003827, 1e-5);
  const FailureRate always{10, 10};
  EXPECT_EQ(always.interval().high, 1);
  EXPECT_NEAR(always.interval().low, 0.72246, 1e-4);
}

TEST(FailureRateTest, NothingIsKnownWithoutRuns) { EXPECT_EQ(FailureRate{}.interval(), (Interval{0, 1})); }

}  // namespace
}  // namespace ravel

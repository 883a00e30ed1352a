// SPDX-License-Identifier: Apache-2.0
#include "runtime/interpose/virtual_time.h"

#include <gtest/gtest.h>

#include "tests/runtime/interpose/engine_in_test.h"

namespace ravel {
namespace {

class VirtualTime : public testing::Test {
 protected:
  void SetUp() override { start_engine_in_test(); }
};

TEST_F(VirtualTime, ClocksStartAtFixedDates) {
  EXPECT_EQ(read_virtual_clock(CLOCK_REALTIME).tv_sec, 1'893'456'000);
  EXPECT_EQ(read_virtual_clock(CLOCK_MONOTONIC).tv_sec, 1'000);
  EXPECT_EQ(read_virtual_clock(CLOCK_PROCESS_CPUTIME_ID).tv_sec, 0);
}

TEST_F(VirtualTime, OneDeadlineOnEveryClock) {
  const timespec real{1'893'456'005, 7};
  const timespec monotonic{1'005, 7};
  EXPECT_EQ(deadline_at(CLOCK_REALTIME, real), 5'000'000'007U);
  EXPECT_EQ(deadline_at(CLOCK_MONOTONIC, monotonic), 5'000'000'007U);
}

TEST_F(VirtualTime, ThePastIsZeroAndTheFarFutureIsNotNever) {
  EXPECT_EQ(deadline_at(CLOCK_REALTIME, timespec{1, 0}), 0U);
  EXPECT_EQ(deadline_at(CLOCK_REALTIME, timespec{-5, 0}), 0U);
  const timespec far{__INT64_MAX__, 999'999'999};
  EXPECT_LT(deadline_at(CLOCK_REALTIME, far), kNever);
  EXPECT_LT(deadline_after(far), kNever);
}

TEST_F(VirtualTime, ReadingAClockMovesIt) {
  const std::uint64_t before = scheduler().now();
  read_virtual_clock(CLOCK_MONOTONIC);
  EXPECT_GT(scheduler().now(), before);
}

TEST_F(VirtualTime, OnlyKnownClocksAreVirtual) {
  EXPECT_TRUE(is_virtual_clock(CLOCK_BOOTTIME));
  EXPECT_TRUE(is_virtual_clock(CLOCK_THREAD_CPUTIME_ID));
  EXPECT_FALSE(is_virtual_clock(1234));
  EXPECT_TRUE(is_wait_clock(CLOCK_MONOTONIC));
  EXPECT_FALSE(is_wait_clock(CLOCK_BOOTTIME));
}

TEST_F(VirtualTime, NanosecondsHaveARange) {
  EXPECT_TRUE(has_valid_nanoseconds(timespec{0, 999'999'999}));
  EXPECT_FALSE(has_valid_nanoseconds(timespec{0, 1'000'000'000}));
  EXPECT_FALSE(has_valid_nanoseconds(timespec{0, -1}));
}

}  // namespace
}  // namespace ravel

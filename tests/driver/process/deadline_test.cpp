// SPDX-License-Identifier: Apache-2.0
#include "driver/process/deadline.h"

#include <string>

#include <gtest/gtest.h>

namespace ravel {
namespace {

using std::chrono::hours;
using std::chrono::nanoseconds;

TEST(Deadline, NeverComesUnlessToldWhen) {
  EXPECT_FALSE(Deadline().has_come());
  EXPECT_FALSE(Deadline().within(nanoseconds::max()).has_come());
}

TEST(Deadline, ComesWhenTheTimeIsUp) {
  EXPECT_FALSE(Deadline().within(hours(1)).has_come());
  const Deadline now = Deadline().within(nanoseconds(0));
  EXPECT_TRUE(now.has_come());
  EXPECT_FALSE(now.interrupted());
  EXPECT_EQ(std::string(now.reason()), "the time was up");
}

TEST(Deadline, ComesWhenTheUserInterrupts) {
  std::atomic<bool> interrupted{false};
  const Deadline deadline(interrupted);
  const Deadline part = deadline.within(hours(1));
  EXPECT_FALSE(part.has_come());
  interrupted = true;
  EXPECT_TRUE(deadline.has_come());
  EXPECT_TRUE(part.has_come()) << "a part of the time ends with the whole";
  EXPECT_EQ(std::string(part.reason()), "it was interrupted");
}

TEST(Deadline, APartEndsNoLaterThanTheWhole) {
  const Deadline whole = Deadline().within(nanoseconds(0));
  EXPECT_TRUE(whole.within(hours(1)).has_come());
  EXPECT_EQ(whole.within(hours(1)).end(), whole.end());
}

}  // namespace
}  // namespace ravel

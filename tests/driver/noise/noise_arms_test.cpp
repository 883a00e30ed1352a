// SPDX-License-Identifier: Apache-2.0
#include "driver/noise/noise_arms.h"

#include <gtest/gtest.h>

#include <map>

namespace ravel {
namespace {

TEST(NoiseArmsTest, AllChoicesAreDrawnAlikeUntilSomethingFails) {
  NoiseArms arms({NoiseKind::sleep, NoiseKind::yield, NoiseKind::halt});
  Random random(1);
  std::map<NoiseFocus, int> focus;
  std::map<unsigned, int> kind;
  for (int run = 0; run < 1000; ++run) {
    const NoiseArm arm = arms.draw(random);
    ++focus[arm.focus];
    ++kind[arm.kind];
    arms.learn(arm, false);
  }
  ASSERT_EQ(focus.size(), kNoiseFocuses);
  for (const auto& [which, count] : focus) EXPECT_GT(count, 140) << static_cast<unsigned>(which);
  ASSERT_EQ(kind.size(), 4U) << "three kinds and the mixture";
  for (const auto& [which, count] : kind) EXPECT_GT(count, 180) << which;
}

TEST(NoiseArmsTest, WhatMakesTheProgramFailIsDrawnMoreAndMore) {
  NoiseArms arms({NoiseKind::sleep, NoiseKind::yield, NoiseKind::halt});
  Random random(2);
  int failures = 0;
  for (int run = 0; run < 1000; ++run) {
    const NoiseArm arm = arms.draw(random);
    const bool failed = arm.focus == NoiseFocus::creations && arm.kind == static_cast<unsigned>(NoiseKind::halt);
    arms.learn(arm, failed);
    if (run >= 500 && failed) ++failures;
  }
  EXPECT_GT(failures, 450);
}

TEST(NoiseArmsTest, OneKindAloneHasNoMixture) {
  NoiseArms arms({NoiseKind::yield});
  Random random(3);
  for (int run = 0; run < 50; ++run) EXPECT_EQ(arms.draw(random).kind, static_cast<unsigned>(NoiseKind::yield));
}

}  // namespace
}  // namespace ravel

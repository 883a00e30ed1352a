// SPDX-License-Identifier: Apache-2.0
#include <ravel/race_test.h>

#include "config.h"
#include "threads.h"

namespace {

int limits[2];

void ask_twice() {
  both([] { limits[0] = shop::Config::instance().limit(); }, [] { limits[1] = shop::Config::instance().limit(); });
}

}  // namespace

RAVEL_RACE_TEST(lazy_singleton, &shop::Config::reset, ask_twice, &shop::Config::reset)

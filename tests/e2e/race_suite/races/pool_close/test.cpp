// SPDX-License-Identifier: Apache-2.0
#include <ravel/race_test.h>

#include <memory>

#include "pool.h"
#include "threads.h"

namespace {

std::unique_ptr<shop::Pool> pool;

void setup() { pool = std::make_unique<shop::Pool>(2); }

void send_and_close() {
  both([] { pool->send("two of article 7"); }, [] { pool->close(); });
}

void teardown() { pool.reset(); }

}  // namespace

RAVEL_RACE_TEST(pool_close, setup, send_and_close, teardown)

// SPDX-License-Identifier: Apache-2.0
#include <ravel/race_test.h>

#include <memory>

#include "orders.h"
#include "threads.h"

namespace {

std::unique_ptr<shop::Orders> orders;
int packed;

void setup() { orders = std::make_unique<shop::Orders>(); }

void take_and_pack() {
  both([] { orders->take(7, 2); }, [] { packed = orders->pack(); });
}

void teardown() { orders.reset(); }

}  // namespace

RAVEL_RACE_TEST(ring_buffer, setup, take_and_pack, teardown)

// SPDX-License-Identifier: Apache-2.0
#include <ravel/race_test.h>

#include <memory>

#include "prices.h"
#include "threads.h"

namespace {

std::unique_ptr<shop::Prices> prices;

// The cache is full.
void setup() {
  prices = std::make_unique<shop::Prices>();
  prices->price_of(1);
  prices->price_of(2);
}

void use_and_evict() {
  both(
      [] {
        prices->price_of(1);
        prices->price_of(1, 12);
      },
      [] { prices->price_of(3); });
}

void teardown() { prices.reset(); }

}  // namespace

RAVEL_RACE_TEST(cache_eviction, setup, use_and_evict, teardown)

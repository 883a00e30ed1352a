// SPDX-License-Identifier: Apache-2.0
#include <ravel/race_test.h>

#include <memory>

#include "logger.h"
#include "threads.h"

namespace {

std::unique_ptr<shop::Logger> logger;

void setup() {
  logger = std::make_unique<shop::Logger>();
  logger->set_filter(shop::Level::info);
}

void log_and_change() {
  both(
      [] {
        logger->log(shop::Level::info, "shop", "open");
        logger->log(shop::Level::warning, "nothing left");
      },
      [] { logger->set_filter(shop::Filter(shop::Level::error, "shop")); });
}

void teardown() { logger.reset(); }

}  // namespace

RAVEL_RACE_TEST(logger_filter, setup, log_and_change, teardown)

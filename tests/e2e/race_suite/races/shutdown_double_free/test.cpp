// SPDX-License-Identifier: Apache-2.0
#include <ravel/race_test.h>

#include <memory>

#include "service.h"
#include "threads.h"

namespace {

std::unique_ptr<shop::Service> service;

void setup() {
  service = std::make_unique<shop::Service>();
  service->handle("open");
}

void stop_twice() {
  both([] { service->stop(shop::Service::Reason::asked); }, [] { service->stop(shop::Service::Reason::watchdog); });
}

void teardown() { service.reset(); }

}  // namespace

RAVEL_RACE_TEST(shutdown_double_free, setup, stop_twice, teardown)

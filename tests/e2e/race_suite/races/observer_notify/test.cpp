// SPDX-License-Identifier: Apache-2.0
#include <ravel/race_test.h>

#include <memory>

#include "observer.h"
#include "threads.h"

namespace {

struct Shop {
  shop::Subject subject;
  shop::Summing observers[3];
};
std::unique_ptr<Shop> all;

void setup() {
  all = std::make_unique<Shop>();
  all->subject.subscribe(all->observers[0]);
  all->subject.subscribe(all->observers[1]);
}

void notify_and_subscribe() {
  both([] { all->subject.notify_all(5); }, [] { all->subject.subscribe(all->observers[2]); });
}

void teardown() { all.reset(); }

}  // namespace

RAVEL_RACE_TEST(observer_notify, setup, notify_and_subscribe, teardown)

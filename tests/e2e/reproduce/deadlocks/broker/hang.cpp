// SPDX-License-Identifier: Apache-2.0
// The application whose threads hang in crash.txt.
#include <thread>

#include "broker.h"

int main() {
  Broker broker;
  std::thread publisher([&] {
    for (;;) broker.publish("news", "x");
  });
  for (;;) {
    broker.subscribe(1, "news");
    broker.leave(1);
  }
}

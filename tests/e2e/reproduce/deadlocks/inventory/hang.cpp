// SPDX-License-Identifier: Apache-2.0
// The application whose threads hang in crash.txt.
#include <thread>

#include "inventory.h"

int main() {
  Inventory inventory;
  std::thread customer([&] {
    for (;;) inventory.order("bolt", 3);
  });
  for (;;) inventory.deliver("bolt", 3);
}

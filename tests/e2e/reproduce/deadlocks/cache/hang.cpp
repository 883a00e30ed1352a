// SPDX-License-Identifier: Apache-2.0
// The application whose threads hang in crash.txt.
#include <thread>

#include "cache.h"

int main() {
  Cache<int> cache;
  std::thread worker([&] {
    for (;;) cache.get("key");
  });
  for (;;) cache.reset();
}

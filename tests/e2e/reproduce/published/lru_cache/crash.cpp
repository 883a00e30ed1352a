// SPDX-License-Identifier: Apache-2.0
// Two threads on one cache, until it crashes.
#include <string>
#include <thread>

#include "lru_cache.h"

int main() {
  lru11::Cache<std::string, std::string> cache(1, 0);
  cache.insert("a", "a value that is too long to be kept inside of a string");
  std::thread reader([&] {
    for (;;) {
      try {
        cache.getCopy("a");
      } catch (const std::invalid_argument&) {
      }
    }
  });
  for (;;) {
    cache.remove("a");
    cache.insert("a", "a value that is too long to be kept inside of a string");
  }
}

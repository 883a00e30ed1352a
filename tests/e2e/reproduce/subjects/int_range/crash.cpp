// SPDX-License-Identifier: Apache-2.0
// The application whose crash crash.txt shows: the range moves while another thread asks for its length.
#include <thread>

#include "int_range.h"

int main() {
  ranges::IntRange range(1, 10);
  std::thread reader([&] {
    for (;;) range.length();
  });
  for (int low = 0;; low = (low + 100) % 10'000) range.set(low, low + 10);
}

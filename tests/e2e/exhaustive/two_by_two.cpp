// SPDX-License-Identifier: Apache-2.0
// Two tasks store to x and then to y. Who is first at x and who is first at y are independent of each other: 2 * 2 =
// 4.
//
//   sc: 4
//   c11: 4
#include <atomic>

#include "together.h"

std::atomic<int> x, y;

int main() {
  together(
      [] {
        x.store(1, std::memory_order_relaxed);
        y.store(1, std::memory_order_relaxed);
      },
      [] {
        x.store(2, std::memory_order_relaxed);
        y.store(2, std::memory_order_relaxed);
      });
}

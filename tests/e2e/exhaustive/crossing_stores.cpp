// SPDX-License-Identifier: Apache-2.0
// One task stores to x and then to y, the other to y and then to x. Of the four combinations "second at x, first at
// y" for both is a cycle under one order: 3. The C++ model allows it for relaxed stores (2+2W): 4.
//
//   sc: 3
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
        y.store(2, std::memory_order_relaxed);
        x.store(2, std::memory_order_relaxed);
      });
}

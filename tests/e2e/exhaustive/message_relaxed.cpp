// SPDX-License-Identifier: Apache-2.0
// x is stored, then y; the other task loads y, then x. New y with old x is impossible under one order: 3. With
// relaxed operations the C++ model allows it: 4.
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
        y.load(std::memory_order_relaxed);
        x.load(std::memory_order_relaxed);
      });
}

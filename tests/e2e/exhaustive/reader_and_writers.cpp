// SPDX-License-Identifier: Apache-2.0
// One task loads x, two store to it: all three conflict, 3! = 6. Under the C++ model: two modification orders, in
// each of which the load reads the initial value or one of the two: 2 * 3 = 6.
//
//   sc: 6
//   c11: 6
#include <atomic>

#include "together.h"

std::atomic<int> x;

int main() {
  together([] { x.load(std::memory_order_relaxed); }, [] { x.store(1, std::memory_order_relaxed); },
           [] { x.store(2, std::memory_order_relaxed); });
}

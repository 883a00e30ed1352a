// SPDX-License-Identifier: Apache-2.0
// Three tasks store to one variable. Every order of the stores is a class of its own: 3! = 6. Under the C++ model
// these are the modification orders: 6 too.
//
//   sc: 6
//   c11: 6
#include <atomic>

#include "together.h"

std::atomic<int> x;

int main() {
  together([] { x.store(1, std::memory_order_relaxed); }, [] { x.store(2, std::memory_order_relaxed); },
           [] { x.store(3, std::memory_order_relaxed); });
}

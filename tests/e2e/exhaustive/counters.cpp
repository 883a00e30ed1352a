// SPDX-License-Identifier: Apache-2.0
// Three tasks add to one counter. Every order is a class: 3! = 6; under the C++ model modification order and what
// each reads follow from each other: 6.
//
//   sc: 6
//   c11: 6
#include <atomic>

#include "together.h"

std::atomic<int> x;

void work() { x.fetch_add(1, std::memory_order_relaxed); }

int main() {
  together(work, work, work);
  require(x == 3);
}

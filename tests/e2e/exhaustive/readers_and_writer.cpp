// SPDX-License-Identifier: Apache-2.0
// Two tasks load x, one stores to it. Loads do not conflict, so each is before or after the store by itself: 2 * 2 =
// 4. Under the C++ model: each reads the old or the new value: 4.
//
//   sc: 4
//   c11: 4
#include <atomic>

#include "together.h"

std::atomic<int> x;

int main() {
  together([] { x.load(std::memory_order_relaxed); }, [] { x.store(1, std::memory_order_relaxed); },
           [] { x.load(std::memory_order_relaxed); });
}

// SPDX-License-Identifier: Apache-2.0
// Two tasks load x and store what they saw plus one. The two loads do not conflict. Either one task comes first with
// both its operations (2), or both load before both store, in one of two orders (2): 4. Under the C++ model: two
// modification orders. The task whose store is first must have read the initial value (coherence: it cannot read
// what is behind its own store), the other read that or the first store: 2 * 2 = 4.
//
//   sc: 4
//   c11: 4
#include <atomic>

#include "together.h"

std::atomic<int> x;

void work() { x.store(x.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed); }

int main() { together(work, work); }

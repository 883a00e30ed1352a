// SPDX-License-Identifier: Apache-2.0
// Four tasks store to one variable: 4! = 24.
//
//   sc: 24
//   c11: 24
#include <atomic>

#include "together.h"

std::atomic<int> x;

int main() {
  together([] { x.store(1); }, [] { x.store(2); }, [] { x.store(3); }, [] { x.store(4); });
}

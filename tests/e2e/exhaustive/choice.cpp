// SPDX-License-Identifier: Apache-2.0
// One task stores one of three values, at choice; another stores. Three choices in two orders: 6.
//
//   sc: 6
//   c11: 6
#include <ravel/annotations.h>

#include <atomic>

#include "together.h"

std::atomic<int> x;

int main() {
  together([] { x.store(static_cast<int>(ravel::choose(3))); }, [] { x.store(7); });
}

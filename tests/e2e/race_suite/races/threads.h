// SPDX-License-Identifier: Apache-2.0
// What the race tests of this folder share: two threads, T1 and T2.
#pragma once

#include <thread>

template <typename First, typename Second>
void both(First first, Second second) {
  std::thread one(first);
  std::thread two(second);
  one.join();
  two.join();
}

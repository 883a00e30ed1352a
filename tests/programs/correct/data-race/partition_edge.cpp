// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Kept: half-open parts share no element.
#include <cassert>
#include <thread>

static int values[9];

static void fill(int begin, int end) {
  for (int i = begin; i < end; ++i) values[i] = i;
}

int main() {
  std::thread low(fill, 0, 5);
  std::thread high(fill, 5, 9);
  low.join();
  high.join();
  for (int i = 0; i < 9; ++i) assert(values[i] == i);
}

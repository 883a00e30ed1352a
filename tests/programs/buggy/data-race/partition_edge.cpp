// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: data-race
// Broken: the parts are [begin, end], not [begin, end): both tasks have the element in the middle.
#include <thread>

static int values[9];

static void fill(int begin, int end) {
  for (int i = begin; i <= end; ++i) values[i] = i;
}

int main() {
  std::thread low(fill, 0, 4);
  std::thread high(fill, 4, 8);
  low.join();
  high.join();
}

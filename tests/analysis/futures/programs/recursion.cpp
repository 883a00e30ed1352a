// SPDX-License-Identifier: Apache-2.0
// A function that calls itself: anything that it does may have happened.
#include <cstdio>
#include <thread>

int n = 0;  // [start]

void count(int depth) {
  n = depth;  // [set]
  if (depth > 0) count(depth - 1);
}

int main() {
  std::thread writes([] { count(3); });
  std::printf("%d\n", n);  // n = π start set
  writes.join();
  std::printf("%d\n", n);  // n = set
}

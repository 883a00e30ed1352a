// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: exit-code
// The program checks its own result and says so by its exit code.
#include <cstdio>
#include <thread>

static int sum = 0;

static void add(int value) {
  const int before = sum;
  sum = before + value;
}

int main() {
  std::thread first(add, 1);
  std::thread second(add, 2);
  first.join();
  second.join();
  if (sum == 3) return 0;
  std::fprintf(stderr, "wrong sum %d\n", sum);
  return 3;
}

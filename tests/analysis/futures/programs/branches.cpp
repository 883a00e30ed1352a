// SPDX-License-Identifier: Apache-2.0
// φ: which write is seen depends on the way taken.
#include <cstdio>
#include <thread>

int n = 1;  // [start]

int main(int argc, char**) {
  if (argc > 1) {
    n = 2;  // [given]
  } else if (argc > 2) {
    n = 3;  // [more]
  }
  std::thread reads([] { std::printf("%d\n", n); });  // n = φ start given more
  reads.join();
  n = 4;                   // [later]
  std::printf("%d\n", n);  // n = later
}

// SPDX-License-Identifier: Apache-2.0
// A loop's own write comes round again.
#include <cstdio>
#include <thread>

int n = 0;  // [start]

int main() {
  std::thread counts([] {
    for (int i = 0; i < 3; ++i) n = n + i;  // n = φ start [sum]  [sum]
  });
  counts.join();
  std::printf("%d\n", n);  // n = φ start sum
}

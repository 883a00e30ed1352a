// SPDX-License-Identifier: Apache-2.0
// A handle that was moved away, or a thread that was let go: nobody knows when it ends.
#include <cstdio>
#include <thread>
#include <utility>

int n = 0;  // [start]
int m = 0;  // [zero]

int main() {
  std::thread first([] { n = 1; });  // [one]
  std::thread second = std::move(first);
  if (first.joinable()) first.join();
  std::printf("%d\n", n);  // n = π start one
  second.join();
  std::thread free([] { m = 1; });  // [m1]
  free.detach();
  std::printf("%d\n", m);  // m = π zero m1
}

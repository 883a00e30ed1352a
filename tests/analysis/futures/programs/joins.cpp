// SPDX-License-Identifier: Apache-2.0
// Before creation and after join, nothing is concurrent.
#include <cstdio>
#include <thread>
#include <vector>

int n = 0;  // [start]
int m = 0;  // [zero]

int main() {
  n = 1;  // [before]
  std::thread first([] {
    std::printf("%d\n", n);  // n = before
    n = 2;                   // [first]
  });
  first.join();
  std::printf("%d\n", n);             // n = first
  std::thread second([] { n = 3; });  // [second]
  std::printf("%d\n", n);             // n = π first second
  second.join();
  std::printf("%d\n", n);  // n = second
  std::vector<std::thread> many;
  for (int i = 0; i < 3; ++i) many.emplace_back([] { m = m + 1; });  // m = π zero [more]  [more]
  for (std::thread& thread : many) thread.join();
  std::printf("%d\n", m);  // m = more
}

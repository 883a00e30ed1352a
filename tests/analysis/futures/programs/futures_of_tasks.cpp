// SPDX-License-Identifier: Apache-2.0
// std::async and std::jthread: the result, or the end of the variable, is the join.
#include <cstdio>
#include <future>
#include <thread>

int n = 0;  // [start]
int m = 0;  // [zero]

int main() {
  std::future<int> task = std::async(std::launch::async, [] {
    n = 1;  // [one]
    return 2;
  });
  std::printf("%d\n", n);  // n = π start one
  task.get();
  std::printf("%d\n", n);  // n = one
  {
    std::jthread thread([] { m = 1; });  // [m1]
    std::printf("%d\n", m);              // m = π zero m1
  }
  std::printf("%d\n", m);  // m = m1
}

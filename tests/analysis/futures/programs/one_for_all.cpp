// SPDX-License-Identifier: Apache-2.0
// A local of main that only threads of one kind touch is not each one's own.
#include <cstdio>
#include <thread>
#include <vector>

int main() {
  int a;
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([&a] {
      a = 1;                   // [one]
      a = 2;                   // [two]
      std::printf("%d\n", a);  // a = π one two
    });
  }
  for (auto& thread : threads) thread.join();
}

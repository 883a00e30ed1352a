// SPDX-License-Identifier: Apache-2.0
// A mutex that every round makes anew keeps nobody apart.
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

int n = 0;  // [start]

int main() {
  std::vector<std::thread> threads;
  std::vector<std::mutex> mutexes(2);
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([] {
      std::mutex own;
      std::lock_guard<std::mutex> guard(own);
      n = 1;                   // [one]
      n = 2;                   // [two]
      std::printf("%d\n", n);  // n = π one two
    });
    threads.emplace_back([&mutexes, i] {
      std::lock_guard<std::mutex> guard(mutexes[static_cast<std::size_t>(i)]);
      std::printf("%d\n", n);  // n = π start one two
    });
  }
  for (auto& thread : threads) thread.join();
}

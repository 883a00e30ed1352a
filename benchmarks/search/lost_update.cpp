// SPDX-License-Identifier: Apache-2.0
// Lost update. Every thread adds one to a counter by a load and a later store.
// Shown by: a thread loads, another one loads and stores, the first one stores its stale sum.
// SIZES: 2 8
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <thread>
#include <vector>

int main(int, char** arguments) {
  const int count = std::atoi(arguments[1]);
  std::atomic<int> counter{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) {
    threads.emplace_back([&] {
      const int seen = counter.load();
      counter.store(seen + 1);
    });
  }
  for (auto& thread : threads) {
    thread.join();
  }
  assert(counter == count);
}

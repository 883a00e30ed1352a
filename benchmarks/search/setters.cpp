// SPDX-License-Identifier: Apache-2.0
// Order violation among N similar setters. Each setter stores the first half of a pair, then the second.
// Shown by: the observer sees the first half that some setter stored and the second half that nobody has stored yet,
// so no setter at all may have finished, and one must have begun.
// SIZES: 3 10 30 100
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <thread>
#include <vector>

int main(int, char** arguments) {
  const int count = std::atoi(arguments[1]);
  std::atomic<int> first{0};
  std::atomic<int> second{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) {
    threads.emplace_back([&] {
      first.store(1);
      second.store(1);
    });
  }
  std::thread observer([&] {
    const int one = first.load();
    const int two = second.load();
    assert(one == two);
  });
  for (auto& thread : threads) {
    thread.join();
  }
  observer.join();
}

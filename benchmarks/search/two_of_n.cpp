// SPDX-License-Identifier: Apache-2.0
// Order violation with two particular setters of N. Each setter stores its own number into one variable.
// Shown by: the observer reads the number of the last setter, and right after it that of the first one.
// SIZES: 3 10
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <thread>
#include <vector>

int main(int, char** arguments) {
  const int count = std::atoi(arguments[1]);
  std::atomic<int> latest{0};
  std::vector<std::thread> threads;
  for (int i = 1; i <= count; ++i) {
    threads.emplace_back([&latest, i] { latest.store(i); });
  }
  std::thread observer([&] {
    const int before = latest.load();
    const int after = latest.load();
    assert(!(before == count && after == 1));
  });
  for (auto& thread : threads) {
    thread.join();
  }
  observer.join();
}

// SPDX-License-Identifier: Apache-2.0
// Deadlock of five locks. Philosophers take the left fork, then the right one.
// Shown by: all five hold their left fork.
#include <array>
#include <mutex>
#include <thread>
#include <vector>

int main() {
  constexpr int count = 5;
  std::array<std::mutex, count> forks;
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) {
    threads.emplace_back([&, i] {
      std::lock_guard left(forks[i]);
      std::lock_guard right(forks[(i + 1) % count]);
    });
  }
  for (auto& thread : threads) {
    thread.join();
  }
}

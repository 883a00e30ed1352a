// SPDX-License-Identifier: Apache-2.0
// explore_rate, 8 threads: atomic counters.
#include <atomic>
#include <thread>
#include <vector>

int main() {
  std::atomic<int> total{0};
  std::atomic<int> highest{0};
  std::vector<std::thread> tasks;
  for (int i = 0; i < 8; ++i) {
    tasks.emplace_back([&, i] {
      for (int round = 0; round < 3; ++round) {
        total.fetch_add(1);
        int seen = highest.load();
        while (seen < i && !highest.compare_exchange_weak(seen, i)) {
        }
      }
    });
  }
  for (auto& task : tasks) task.join();
  return total.load() == 24 && highest.load() == 7 ? 0 : 1;
}

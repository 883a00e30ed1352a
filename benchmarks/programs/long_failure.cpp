// SPDX-License-Identifier: Apache-2.0
// bytes_per_decision: four tasks update a counter by separate loads and stores; some update is bound to get lost.
#include <atomic>
#include <thread>
#include <vector>

int main() {
  constexpr int kRounds = 5000;
  std::atomic<int> counter{0};
  std::vector<std::thread> tasks;
  for (int i = 0; i < 4; ++i) {
    tasks.emplace_back([&] {
      for (int round = 0; round < kRounds; ++round) counter.store(counter.load() + 1);
    });
  }
  for (auto& task : tasks) task.join();
  return counter.load() == 4 * kRounds ? 0 : 1;
}

// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Condition variables with predicates: spurious wake-ups and any choice of waiter change nothing.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

int main() {
  std::mutex mutex;
  std::condition_variable turn_changed;
  int turn = 0;
  std::vector<int> order;
  std::vector<std::thread> tasks;
  for (int self = 0; self < 3; ++self) {
    tasks.emplace_back([&, self] {
      std::unique_lock lock(mutex);
      while (turn != self) turn_changed.wait(lock);
      order.push_back(self);
      ++turn;
      turn_changed.notify_all();
    });
  }
  for (auto& task : tasks) task.join();
  assert((order == std::vector<int>{0, 1, 2}));
}

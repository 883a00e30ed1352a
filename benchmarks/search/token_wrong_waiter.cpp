// SPDX-License-Identifier: Apache-2.0
// Token passing with one condition for all. Handing on the token wakes one waiter, not necessarily the right one.
// Shown by: two waiters sleep when the token moves, and the one that is woken is not the one that has it.
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

int main() {
  constexpr int count = 4;
  std::mutex mutex;
  std::condition_variable moved;
  int holder = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) {
    threads.emplace_back([&, i] {
      std::unique_lock lock(mutex);
      while (holder != i) {
        moved.wait(lock);
      }
      holder = i + 1;
      moved.notify_one();
    });
  }
  for (auto& thread : threads) {
    thread.join();
  }
}

// SPDX-License-Identifier: Apache-2.0
// explore_rate, 4 threads: two producers and two consumers of a locked queue.
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

int main() {
  std::mutex mutex;
  std::condition_variable filled;
  std::deque<int> queue;
  int sum = 0;
  std::vector<std::thread> tasks;
  for (int p = 0; p < 2; ++p) {
    tasks.emplace_back([&] {
      for (int i = 1; i <= 4; ++i) {
        std::lock_guard lock(mutex);
        queue.push_back(i);
        filled.notify_one();
      }
    });
  }
  for (int c = 0; c < 2; ++c) {
    tasks.emplace_back([&] {
      for (int i = 0; i < 4; ++i) {
        std::unique_lock lock(mutex);
        filled.wait(lock, [&] { return !queue.empty(); });
        sum += queue.front();
        queue.pop_front();
      }
    });
  }
  for (auto& task : tasks) task.join();
  return sum == 20 ? 0 : 1;
}

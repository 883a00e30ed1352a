// SPDX-License-Identifier: Apache-2.0
// point_cost: many_tasks TASKS OPERATIONS [shared]: all tasks are alive, and able to run, until the last of the
// operations; together they perform OPERATIONS lock and unlock calls, each on a mutex of its own, or all on one word.
#include <atomic>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

int main(int count, char** words) {
  const int tasks = std::atoi(words[1]);
  const int operations = std::atoi(words[2]) / tasks;
  const bool shared = count > 3;
  auto mutexes = std::make_unique<std::mutex[]>(static_cast<std::size_t>(tasks));
  std::atomic<int> word{0};
  std::vector<std::thread> threads;
  threads.reserve(static_cast<std::size_t>(tasks));
  for (int task = 0; task < tasks; ++task) {
    threads.emplace_back([&, task] {
      for (int i = 0; i < operations; ++i) {
        if (shared) {
          word.fetch_add(1);
        } else if (i % 2 == 0) {
          mutexes[static_cast<std::size_t>(task)].lock();
        } else {
          mutexes[static_cast<std::size_t>(task)].unlock();
        }
      }
    });
  }
  for (auto& thread : threads) thread.join();
}

// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Two hundred tasks alive at once.
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

int main() {
  std::mutex mutex;
  int count = 0;
  std::vector<std::thread> tasks;
  tasks.reserve(200);
  for (int i = 0; i < 200; ++i) {
    tasks.emplace_back([&] {
      std::lock_guard lock(mutex);
      ++count;
    });
  }
  for (auto& task : tasks) task.join();
  assert(count == 200);
}

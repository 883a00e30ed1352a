// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// A test-and-set lock that yields while it waits: spinning is no livelock as long as the holder goes on.
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

static std::atomic_flag locked = ATOMIC_FLAG_INIT;
static int count = 0;

int main() {
  std::vector<std::thread> tasks;
  for (int i = 0; i < 3; ++i) {
    tasks.emplace_back([] {
      for (int round = 0; round < 2; ++round) {
        while (locked.test_and_set(std::memory_order_acquire)) std::this_thread::yield();
        ++count;
        locked.clear(std::memory_order_release);
      }
    });
  }
  for (auto& task : tasks) task.join();
  assert(count == 6);
}

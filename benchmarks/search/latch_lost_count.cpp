// SPDX-License-Identifier: Apache-2.0
// Latch that loses a count. Workers count down by a load and a store and signal at zero.
// Shown by: two workers load the same count, and the waiter waits for a count that nobody takes away.
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

int main() {
  constexpr int count = 3;
  std::mutex mutex;
  std::condition_variable done;
  std::atomic<int> left{count};
  std::thread workers[count];
  for (std::thread& worker : workers) {
    worker = std::thread([&] {
      const int before = left.load();
      left.store(before - 1);
      if (before == 1) {
        std::lock_guard lock(mutex);
        done.notify_all();
      }
    });
  }
  {
    std::unique_lock lock(mutex);
    done.wait(lock, [&] { return left.load() <= 0; });
  }
  for (std::thread& worker : workers) {
    worker.join();
  }
}

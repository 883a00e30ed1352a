// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Repaired: the flag changes under the lock.
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

int main() {
  std::mutex mutex;
  std::condition_variable changed;
  std::atomic<bool> stopping{false};
  std::thread worker([&] {
    std::unique_lock lock(mutex);
    while (!stopping.load()) changed.wait(lock);
  });
  {
    std::lock_guard lock(mutex);
    stopping.store(true);
  }
  changed.notify_all();
  worker.join();
}

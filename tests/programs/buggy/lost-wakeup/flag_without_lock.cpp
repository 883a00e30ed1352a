// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: lost-wakeup
// The flag changes without the lock: between the waiter's look at it and its wait, flag and notification slip through.
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
  stopping.store(true);
  changed.notify_all();
  worker.join();
}

// SPDX-License-Identifier: Apache-2.0
// Thread pool that misses its shutdown. A worker looks at the stop flag outside the lock, then sleeps for work.
// Shown by: the pool stops and wakes everybody between a worker's look and its sleep.
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

int main() {
  std::mutex mutex;
  std::condition_variable changed;
  std::atomic<bool> stopped{false};
  int jobs = 0;
  std::thread workers[2];
  for (std::thread& worker : workers) {
    worker = std::thread([&] {
      while (!stopped.load()) {
        std::unique_lock lock(mutex);
        if (jobs == 0) {
          changed.wait(lock);
        }
        if (jobs > 0) {
          --jobs;
        }
      }
    });
  }
  {
    std::lock_guard lock(mutex);
    jobs = 2;
  }
  changed.notify_all();
  stopped.store(true);
  changed.notify_all();
  for (std::thread& worker : workers) {
    worker.join();
  }
}

// SPDX-License-Identifier: Apache-2.0
// Use after free on shutdown. The server waits until the worker says it is idle, then frees the queue; the worker says
// so before its last look at the queue.
// Shown by: the worker is interrupted between the two while the server frees.
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

struct Queue {
  std::atomic<int> length{3};
};

int main() {
  auto queue = std::make_unique<Queue>();
  std::mutex mutex;
  std::condition_variable changed;
  bool idle = false;
  std::thread worker([&mutex, &changed, &idle, jobs = queue.get()] {
    while (jobs->length.load() > 0) {
      jobs->length.fetch_sub(1);
    }
    {
      std::lock_guard lock(mutex);
      idle = true;
      changed.notify_one();
    }
    if (jobs->length.load() != 0) {
      std::terminate();
    }
  });
  {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return idle; });
  }
  queue.reset();
  worker.join();
}

// SPDX-License-Identifier: Apache-2.0
// Use after free on shutdown. The server waits until the worker says it is idle, then frees the queue; the worker says
// so before its last look at the queue.
// Shown by: the worker is interrupted between the two while the server frees.
#include <atomic>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>

struct Queue {
  int length = 3;
};

int main() {
  auto queue = std::make_unique<Queue>();
  std::atomic<int> idle_workers{0};
  std::mutex mutex;
  std::condition_variable changed;
  bool idle = false;
  std::thread worker([&, jobs = queue.get()] {
    {
      std::lock_guard lock(mutex);
      while (jobs->length > 0) {
        --jobs->length;
      }
      idle = true;
      changed.notify_one();
    }
    idle_workers.fetch_add(1);
    if (jobs->length != 0) {
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

// SPDX-License-Identifier: Apache-2.0
// Deadlock of a join. The owner stops its worker and joins it with the lock held, if the worker has not said goodbye.
// Shown by: the owner asks after the worker's last round and before its goodbye, which needs the lock.
#include <atomic>
#include <mutex>
#include <thread>

int main() {
  std::mutex mutex;
  std::atomic<bool> started{false};
  std::atomic<bool> gone{false};
  std::thread worker([&] {
    started.store(true);
    std::lock_guard lock(mutex);
    gone.store(true);
  });
  {
    std::lock_guard lock(mutex);
    if (started.load() && !gone.load()) {
      worker.join();
    }
  }
  if (worker.joinable()) {
    worker.join();
  }
}

// SPDX-License-Identifier: Apache-2.0
// Missed wake-up. The flag is set and signalled without the lock.
// Shown by: the setter sets and signals after the waiter has looked at the flag and before it sleeps.
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

int main() {
  std::mutex mutex;
  std::condition_variable changed;
  std::atomic<bool> ready{false};
  std::thread setter([&] {
    ready.store(true);
    changed.notify_one();
  });
  std::thread waiter([&] {
    std::unique_lock lock(mutex);
    while (!ready.load()) {
      changed.wait(lock);
    }
  });
  setter.join();
  waiter.join();
}

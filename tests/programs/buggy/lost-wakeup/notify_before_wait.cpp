// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: lost-wakeup
// No predicate: when the notification comes first, the wait never ends.
#include <condition_variable>
#include <mutex>
#include <thread>

int main() {
  std::mutex mutex;
  std::condition_variable ready;
  std::thread waiter([&] {
    std::unique_lock lock(mutex);
    ready.wait(lock);
  });
  {
    std::lock_guard lock(mutex);
    ready.notify_one();
  }
  waiter.join();
}

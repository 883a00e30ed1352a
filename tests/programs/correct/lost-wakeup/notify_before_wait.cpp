// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Repaired: with a predicate.
#include <condition_variable>
#include <mutex>
#include <thread>

int main() {
  std::mutex mutex;
  std::condition_variable ready;
  bool is_ready = false;
  std::thread waiter([&] {
    std::unique_lock lock(mutex);
    while (!is_ready) ready.wait(lock);
  });
  {
    std::lock_guard lock(mutex);
    is_ready = true;
    ready.notify_one();
  }
  waiter.join();
}

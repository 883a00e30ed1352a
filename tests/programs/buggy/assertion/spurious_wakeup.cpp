// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: assertion
// `if` where `while` belongs: only a spurious wake-up, which the standard allows, shows it.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

int main() {
  std::mutex mutex;
  std::condition_variable filled;
  bool full = false;
  std::thread consumer([&] {
    std::unique_lock lock(mutex);
    if (!full) filled.wait(lock);
    assert(full);
  });
  {
    std::lock_guard lock(mutex);
    full = true;
    filled.notify_one();
  }
  consumer.join();
}

// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Kept: the predicate changes under the lock; notifying after the unlock is allowed.
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex guard;
static std::condition_variable changed;
static bool ready = false;

int main() {
  std::thread waiter([] {
    std::unique_lock lock(guard);
    changed.wait(lock, [] { return ready; });
  });
  std::thread setter([] {
    {
      std::lock_guard lock(guard);
      ready = true;
    }
    changed.notify_one();
  });
  waiter.join();
  setter.join();
}

// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: data-race
// Broken: the predicate is written outside the lock under which the waiter reads it. (The empty critical section keeps
// the wake-up from being lost, so the race is all that is wrong.)
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
    ready = true;
    { std::lock_guard lock(guard); }
    changed.notify_one();
  });
  waiter.join();
  setter.join();
}

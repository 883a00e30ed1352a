// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Detached tasks: main waits for their results, not for their ends, and may exit while they are still finishing.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable changed;
static int finished = 0;

int main() {
  for (int i = 0; i < 3; ++i) {
    std::thread([] {
      std::lock_guard lock(mutex);
      ++finished;
      changed.notify_one();
    }).detach();
  }
  std::unique_lock lock(mutex);
  changed.wait(lock, [] { return finished == 3; });
  assert(finished == 3);
}

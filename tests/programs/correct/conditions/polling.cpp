// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: none
// Polling under a lock, with a yield: slow, but it ends as soon as the other task gets its turn.
#include <cassert>
#include <mutex>
#include <thread>

int main() {
  std::mutex mutex;
  int progress = 0;
  std::thread worker([&] {
    for (int i = 0; i < 3; ++i) {
      std::lock_guard lock(mutex);
      ++progress;
    }
  });
  for (;;) {
    {
      std::lock_guard lock(mutex);
      if (progress == 3) break;
    }
    std::this_thread::yield();
  }
  worker.join();
}

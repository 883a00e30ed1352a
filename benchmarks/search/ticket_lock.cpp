// SPDX-License-Identifier: Apache-2.0
// Ticket lock whose dispenser is not atomic. Tickets are drawn by a load and a store.
// Shown by: two of the four threads draw the same ticket and are served together.
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

int main() {
  std::mutex mutex;
  std::condition_variable served;
  std::atomic<int> dispenser{0};
  std::atomic<int> inside{0};
  int serving = 0;
  std::thread threads[4];
  for (std::thread& thread : threads) {
    thread = std::thread([&] {
      const int mine = dispenser.load();
      dispenser.store(mine + 1);
      {
        std::unique_lock lock(mutex);
        served.wait(lock, [&] { return serving >= mine; });
      }
      assert(inside.fetch_add(1) == 0);
      inside.fetch_sub(1);
      std::lock_guard lock(mutex);
      ++serving;
      served.notify_all();
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
}

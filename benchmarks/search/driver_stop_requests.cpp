// SPDX-License-Identifier: Apache-2.0
// Stop flag against operations in flight, with a second check. A request counts itself in and looks at the flag again,
// but counts itself out by a load and a store.
// Shown by: two requests leave at once, one departure is lost, and the stopper waits for a request that is gone.
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

int main() {
  std::mutex mutex;
  std::condition_variable idle;
  std::atomic<bool> stopping{false};
  std::atomic<int> pending{0};
  std::atomic<int> served{0};
  auto leave = [&] {
    pending.store(pending.load() - 1);
    std::lock_guard lock(mutex);
    idle.notify_all();
  };
  auto request = [&] {
    pending.fetch_add(1);
    if (!stopping.load()) {
      served.fetch_add(1);
    }
    leave();
  };
  std::thread first(request);
  std::thread second(request);
  std::thread stopper([&] {
    stopping.store(true);
    std::unique_lock lock(mutex);
    idle.wait(lock, [&] { return pending.load() == 0; });
  });
  first.join();
  second.join();
  stopper.join();
}

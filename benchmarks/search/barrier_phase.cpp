// SPDX-License-Identifier: Apache-2.0
// Barrier by an atomic counter. Threads meet when the counter reaches a multiple of their number, but the last one
// publishes the phase by a load and a store outside the counting.
// Shown by: a thread reads the phase it waits for only after the last one has moved it on, and sleeps for the next.
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

int main() {
  std::mutex mutex;
  std::condition_variable moved;
  std::atomic<int> arrived{0};
  std::atomic<int> phase{0};
  auto meet = [&] {
    if (arrived.fetch_add(1) % 2 == 1) {
      std::lock_guard lock(mutex);
      phase.store(phase.load() + 1);
      moved.notify_all();
      return;
    }
    const int mine = phase.load();
    std::unique_lock lock(mutex);
    moved.wait(lock, [&] { return phase.load() != mine; });
  };
  std::thread first([&] {
    meet();
    meet();
  });
  std::thread second([&] {
    meet();
    meet();
  });
  first.join();
  second.join();
}

// SPDX-License-Identifier: Apache-2.0
// Dirty flag cleared too late. The flusher writes the cache out and then clears the flag; a change in between keeps its
// value in the cache, but nobody will write it out.
// Shown by: a change comes after the copy and before the clearing, and no later change repairs it.
#include <atomic>
#include <cassert>
#include <thread>

int main() {
  std::atomic<int> cached{0};
  std::atomic<int> stored{0};
  std::atomic<bool> dirty{false};
  auto flush = [&] {
    if (dirty.load()) {
      stored.store(cached.load());
      dirty.store(false);
    }
  };
  std::thread writer([&] {
    for (int value = 1; value <= 3; ++value) {
      cached.store(value);
      dirty.store(true);
    }
  });
  std::thread flusher([&] {
    flush();
    flush();
  });
  writer.join();
  flusher.join();
  flush();
  assert(stored.load() == 3);
}

// SPDX-License-Identifier: Apache-2.0
// Reader/writer upgrade by letting go. The reader sees that an entry is missing, lets go, locks for writing and inserts
// without looking again.
// Shown by: two threads miss the same entry before either inserts it.
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>

int main() {
  std::shared_mutex mutex;
  std::vector<int> entries;
  auto find_or_insert = [&](int key) {
    {
      std::shared_lock lock(mutex);
      for (const int entry : entries) {
        if (entry == key) {
          return;
        }
      }
    }
    std::unique_lock lock(mutex);
    for (const int entry : entries) {
      assert(entry != key);
    }
    entries.push_back(key);
  };
  std::thread threads[3];
  for (int i = 0; i < 3; ++i) {
    threads[i] = std::thread([&, i] {
      find_or_insert(i);
      find_or_insert(7);
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
}

// SPDX-License-Identifier: Apache-2.0
// Lazy initialisation. The object is published before it is filled in.
// Shown by: a second user finds the pointer set and reads the object before the first user has filled it.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

struct Settings {
  std::atomic<int> width{0};
};

int main() {
  std::mutex mutex;
  Settings storage;
  std::atomic<Settings*> instance{nullptr};
  auto width = [&] {
    if (instance.load() == nullptr) {
      std::lock_guard lock(mutex);
      if (instance.load() == nullptr) {
        instance.store(&storage);
        storage.width.store(80);
      }
    }
    return instance.load()->width.load();
  };
  std::thread first([&] { assert(width() == 80); });
  std::thread second([&] { assert(width() == 80); });
  first.join();
  second.join();
}

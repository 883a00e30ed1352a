// SPDX-License-Identifier: Apache-2.0
// The commonest form of a concurrency test: what is shared is a local variable of main. `size` is not under the lock.
#include <map>
#include <mutex>
#include <string>
#include <thread>

struct Cache {
  std::mutex lock;
  std::map<int, std::string> items;
  int size = 0;

  void put(int key, const char* value) {
    {
      const std::lock_guard guard(lock);
      items[key] = value;
    }
    ++size;
  }
};

int main() {
  Cache cache;
  std::thread first([&] { cache.put(1, "x"); });
  std::thread second([&] { cache.put(2, "y"); });
  first.join();
  second.join();
}

// SPDX-License-Identifier: Apache-2.0
// A cache server that increments a number by a get and a set, each locked: two increments count as one. After a
// defect of a memory cache server.
// FINDING: assertion
#include <cassert>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>

class ItemCache {
 public:
  long get(const std::string& key) {
    std::lock_guard lock(mutex_);
    return items_[key];  // CAUSE: first
  }
  void set(const std::string& key, long value) {
    std::lock_guard lock(mutex_);
    items_[key] = value;  // CAUSE: second
  }
  void increment(const std::string& key) { set(key, get(key) + 1); }

 private:
  std::mutex mutex_;
  std::unordered_map<std::string, long> items_;
};

int main() {
  ItemCache cache;
  cache.set("visits", 0);
  std::thread one([&] { cache.increment("visits"); });
  std::thread two([&] { cache.increment("visits"); });
  one.join();
  two.join();
  assert(cache.get("visits") == 2);
}

// SPDX-License-Identifier: Apache-2.0
// RUN:
// EXPECT: lock-misuse
// The rare path calls a public, locking method while it already holds the lock.
#include <mutex>
#include <thread>

class Cache {
 public:
  void put() {
    std::lock_guard lock(mutex_);
    if (++size_ > 1) clear();
  }
  void take() {
    std::lock_guard lock(mutex_);
    if (size_ > 0) --size_;
  }
  void clear() {
    std::lock_guard lock(mutex_);
    size_ = 0;
  }

 private:
  std::mutex mutex_;
  int size_ = 0;
};

int main() {
  Cache cache;
  std::thread producer([&] {
    cache.put();
    cache.put();
  });
  std::thread consumer([&] { cache.take(); });
  producer.join();
  consumer.join();
}

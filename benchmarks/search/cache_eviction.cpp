// SPDX-License-Identifier: Apache-2.0
// Cache that recycles an entry in use. A reader looks up the slot under the lock and reads its value outside.
// Shown by: the slot is evicted and filled with another key between the reader's lookup and its read.
#include <array>
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

class Cache {
 public:
  std::atomic<int>* find(int key) {
    std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      if (keys_[i] == key) {
        return &values_[i];
      }
    }
    return nullptr;
  }

  void insert(int key) {
    std::lock_guard lock(mutex_);
    keys_[hand_] = key;
    values_[hand_].store(10 * key);
    hand_ = (hand_ + 1) % keys_.size();
  }

 private:
  std::mutex mutex_;
  std::array<int, 2> keys_{};
  std::array<std::atomic<int>, 2> values_{};
  std::size_t hand_ = 0;
};

int main() {
  Cache cache;
  cache.insert(1);
  std::thread reader([&] {
    for (int attempt = 0; attempt < 2; ++attempt) {
      if (auto* const value = cache.find(1)) {
        assert(value->load() == 10);
      }
    }
  });
  std::thread writer([&] {
    cache.insert(2);
    cache.insert(3);
  });
  reader.join();
  writer.join();
}

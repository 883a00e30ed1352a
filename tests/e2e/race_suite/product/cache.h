// SPDX-License-Identifier: Apache-2.0
// A small cache that forgets what was used least. Header only.
//
// Fault: who gets an entry counts its use without the lock, while another looks for the entry to evict. With FIXED the
// use is counted, and the value copied, under the lock.
#pragma once

#include <array>
#include <cstddef>
#include <mutex>
#include <optional>

namespace shop {

template <typename Key, typename Value, std::size_t Capacity>
class Cache {
 public:
  std::optional<Value> get(const Key& key) {
    std::unique_lock<std::mutex> guard(mutex_);
    Entry* entry = find(key);
    if (entry == nullptr) return std::nullopt;
#ifndef FIXED
    guard.unlock();
#endif
    entry->uses = entry->uses + 1;
    return entry->value;
  }

  void put(const Key& key, const Value& value) {
    {
      const std::lock_guard<std::mutex> guard(mutex_);
      if (Entry* entry = find(key); entry != nullptr) {
        entry->value = value;
        return;
      }
      if (count_ < Capacity) {
        entries_[count_++] = Entry{key, value, 0};
        return;
      }
    }
    // Others may be at work meanwhile: which entry goes is decided when the lock is held again.
    evict(key, value);
  }

  std::size_t size() const {
    const std::lock_guard<std::mutex> guard(mutex_);
    return count_;
  }

  void forget_all() {
    const std::lock_guard<std::mutex> guard(mutex_);
    count_ = 0;
  }

 private:
  struct Entry {
    Key key{};
    Value value{};
    std::size_t uses = 0;
  };

  Entry* find(const Key& key) {
    for (std::size_t i = 0; i < count_; ++i) {
      if (entries_[i].key == key) return &entries_[i];
    }
    return nullptr;
  }

  void evict(const Key& key, const Value& value) {
    const std::lock_guard<std::mutex> guard(mutex_);
    Entry* least = &entries_[0];
    for (std::size_t i = 1; i < count_; ++i) {
      Entry& candidate = entries_[i];
      if (candidate.uses < least->uses) least = &candidate;
    }
    *least = Entry{key, value, 0};
  }

  std::array<Entry, Capacity> entries_{};
  std::size_t count_ = 0;
  mutable std::mutex mutex_;
};

}  // namespace shop

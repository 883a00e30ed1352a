// SPDX-License-Identifier: Apache-2.0
// A cache after lru11::Cache of lrucache11 (https://github.com/mohaps/lrucache11), rebuilt in our own words from its
// interface.
//
// The defect: issue 19 of that project, "Thread-safety issues", and the crash of issue 18. get() locks, and returns a
// reference to the value in the cache; getCopy() copies it after the lock was given back, and by then another thread
// may have removed the entry. crash.txt is a real crash of this rebuild (make_crashes.py), not of the library.
#pragma once

#include <cstddef>
#include <list>
#include <mutex>
#include <stdexcept>
#include <unordered_map>
#include <utility>

namespace lru11 {

template <typename Key, typename Value>
class Cache {
 public:
  explicit Cache(std::size_t max_size = 64, std::size_t elasticity = 10)
      : max_size_(max_size), elasticity_(elasticity) {}
  Cache(const Cache&) = delete;
  Cache& operator=(const Cache&) = delete;

  std::size_t size() const {
    const std::lock_guard<std::mutex> guard(lock_);
    return cache_.size();
  }
  bool empty() const { return size() == 0; }
  std::size_t getMaxSize() const { return max_size_; }
  std::size_t getElasticity() const { return elasticity_; }

  void clear() {
    const std::lock_guard<std::mutex> guard(lock_);
    cache_.clear();
    keys_.clear();
  }

  void insert(const Key& key, Value value) {
    const std::lock_guard<std::mutex> guard(lock_);
    const auto found = cache_.find(key);
    if (found != cache_.end()) {
      found->second->second = std::move(value);
      keys_.splice(keys_.begin(), keys_, found->second);
      return;
    }
    keys_.emplace_front(key, std::move(value));
    cache_[key] = keys_.begin();
    prune();
  }

  bool tryGet(const Key& key, Value& out) {
    const std::lock_guard<std::mutex> guard(lock_);
    const auto found = cache_.find(key);
    if (found == cache_.end()) return false;
    keys_.splice(keys_.begin(), keys_, found->second);
    out = found->second->second;
    return true;
  }

  const Value& get(const Key& key) {
    const std::lock_guard<std::mutex> guard(lock_);
    const auto found = cache_.find(key);
    if (found == cache_.end()) throw std::invalid_argument("key_not_found");
    keys_.splice(keys_.begin(), keys_, found->second);
    return found->second->second;
  }

  Value getCopy(const Key& key) { return get(key); }

  bool remove(const Key& key) {
    const std::lock_guard<std::mutex> guard(lock_);
    const auto found = cache_.find(key);
    if (found == cache_.end()) return false;
    keys_.erase(found->second);
    cache_.erase(found);
    return true;
  }

  bool contains(const Key& key) const {
    const std::lock_guard<std::mutex> guard(lock_);
    return cache_.find(key) != cache_.end();
  }

  template <typename F>
  void cwalk(F& f) const {
    const std::lock_guard<std::mutex> guard(lock_);
    for (const auto& [key, value] : keys_) f(key, value);
  }

 private:
  void prune() {
    if (max_size_ == 0 || cache_.size() < max_size_ + elasticity_) return;
    while (cache_.size() > max_size_) {
      cache_.erase(keys_.back().first);
      keys_.pop_back();
    }
  }

  mutable std::mutex lock_;
  std::list<std::pair<Key, Value>> keys_;
  std::unordered_map<Key, typename std::list<std::pair<Key, Value>>::iterator> cache_;
  std::size_t max_size_;
  std::size_t elasticity_;
};

}  // namespace lru11

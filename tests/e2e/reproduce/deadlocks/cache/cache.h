// SPDX-License-Identifier: Apache-2.0
// A cache with statistics of its own. Looking something up takes the lock of the entries, then that of the statistics;
// resetting takes them the other way round.
#pragma once

#include <list>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <unordered_map>

template <typename Value>
class Cache {
 public:
  explicit Cache(std::size_t capacity = 16) : capacity_(capacity) {}

  void put(const std::string& key, const Value& value) {
    std::unique_lock lock(entries_mutex_);
    if (entries_.size() < capacity_) entries_[key] = value;
  }

  std::optional<Value> get(const std::string& key) const {
    std::shared_lock lock(entries_mutex_);
    const auto found = entries_.find(key);
    count(found != entries_.end());
    if (found == entries_.end()) return std::nullopt;
    return found->second;
  }

  void reset() {
    std::lock_guard lock(statistics_mutex_);
    hits_ = 0;
    misses_ = 0;
    clear();
  }

  void clear() {
    std::unique_lock lock(entries_mutex_);
    entries_.clear();
  }

  std::size_t size() const {
    std::shared_lock lock(entries_mutex_);
    return entries_.size();
  }

  long hits() const {
    std::lock_guard lock(statistics_mutex_);
    return hits_;
  }

 private:
  void count(bool hit) const {
    std::lock_guard lock(statistics_mutex_);
    ++(hit ? hits_ : misses_);
  }

  std::size_t capacity_;
  mutable std::shared_mutex entries_mutex_;
  mutable std::mutex statistics_mutex_;
  mutable long hits_ = 0;
  mutable long misses_ = 0;
  std::unordered_map<std::string, Value> entries_;
};

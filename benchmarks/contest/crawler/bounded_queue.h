// SPDX-License-Identifier: Apache-2.0
// BoundedQueue: first in, first out; whoever puts into a full one waits, and whoever takes from an empty one.
//
// Thread safety: any thread may call anything.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <utility>

namespace crawler {

template <typename T>
class BoundedQueue {
 public:
  explicit BoundedQueue(std::size_t most) : most_(most) {}

  void put(T value) {
    std::unique_lock lock(mutex_);
    not_full_.wait(lock, [&] { return values_.size() < most_; });
    values_.push_back(std::move(value));
    not_empty_.notify_one();
  }

  T take() {
    std::unique_lock lock(mutex_);
    not_empty_.wait(lock, [&] { return !values_.empty(); });
    T value = std::move(values_.front());
    values_.pop_front();
    not_full_.notify_one();
    return value;
  }

  bool is_empty() {
    std::lock_guard lock(mutex_);
    return values_.empty();
  }

 private:
  const std::size_t most_;
  std::mutex mutex_;
  std::condition_variable not_full_;
  std::condition_variable not_empty_;
  std::deque<T> values_;
};

}  // namespace crawler

// SPDX-License-Identifier: Apache-2.0
// Shared data with a count of its users. use() checks the count and then looks at the data without the lock; to take
// the data away meanwhile, the last user has to release it and somebody has to collect it.
#pragma once

#include <mutex>
#include <string>

class Resource {
 public:
  explicit Resource(const std::string& text = "data") : text_(text), data_(&text_) {}

  void retain() {
    std::lock_guard<std::mutex> guard(mutex_);
    if (data_ != nullptr && users_ < 1) ++users_;
  }

  void release() {
    std::lock_guard<std::mutex> guard(mutex_);
    if (users_ > 0) --users_;
  }

  void collect() {
    std::lock_guard<std::mutex> guard(mutex_);
    if (users_ == 0) data_ = nullptr;
  }

  void restore() {
    std::lock_guard<std::mutex> guard(mutex_);
    data_ = &text_;
  }

  std::size_t use() const {
    if (!is_used()) return 0;
    return data_->size();
  }

  bool is_used() const {
    std::lock_guard<std::mutex> guard(mutex_);
    return users_ > 0;
  }

 private:
  mutable std::mutex mutex_;
  std::string text_;
  const std::string* data_;
  int users_ = 0;
};

// SPDX-License-Identifier: Apache-2.0
// A journal that several threads write to. close() takes no lock, so it can come between the check and the use.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

class Journal {
 public:
  void open(const std::string& name) {
    std::lock_guard<std::mutex> guard(mutex_);
    name_ = name;
    opened_.push_back(std::make_unique<std::string>());
    page_ = opened_.back().get();
  }

  void close() { page_ = nullptr; }

  void write(const std::string& line) {
    std::lock_guard<std::mutex> guard(mutex_);
    if (page_ == nullptr) return;
    page_->append(line);
    ++lines_;
  }

  int lines() const {
    std::lock_guard<std::mutex> guard(mutex_);
    return lines_;
  }

 private:
  mutable std::mutex mutex_;
  std::string name_;
  std::vector<std::unique_ptr<std::string>> opened_;
  std::string* page_ = nullptr;
  int lines_ = 0;
};

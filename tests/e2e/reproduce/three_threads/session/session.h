// SPDX-License-Identifier: Apache-2.0
// A session that can be logged out, and its data purged once it is. greet() checks that somebody is logged in and then
// asserts that there is a name: both have to happen in between.
#pragma once

#include <cassert>
#include <mutex>
#include <string>

class Session {
 public:
  void login(const std::string& name) {
    std::lock_guard<std::mutex> guard(mutex_);
    if (name.empty()) return;
    name_ = name;
    logged_in_ = true;
  }

  void logout() {
    std::lock_guard<std::mutex> guard(mutex_);
    logged_in_ = false;
  }

  void purge() {
    std::lock_guard<std::mutex> guard(mutex_);
    if (!logged_in_) name_.clear();
  }

  bool is_logged_in() const {
    std::lock_guard<std::mutex> guard(mutex_);
    return logged_in_;
  }

  std::string greet() const {
    if (!is_logged_in()) return "who are you?";
    const std::string name = current_name();
    assert(!name.empty());
    return "hello " + name;
  }

 private:
  std::string current_name() const {
    std::lock_guard<std::mutex> guard(mutex_);
    return name_;
  }

  mutable std::mutex mutex_;
  std::string name_;
  bool logged_in_ = false;
};

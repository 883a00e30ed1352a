// SPDX-License-Identifier: Apache-2.0
// Host: what is known about one host. Its rules are read by the first worker that comes there; others wait for them.
//
// Thread safety: any thread may call anything.
#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

#include "robots_rules.h"

namespace crawler {

class Host {
 public:
  // True for one caller at a time, who then owes set_rules() or give_up().
  bool claim_rules() {
    std::unique_lock lock(mutex_);
    known_.wait(lock, [&] { return rules_.has_value() || !is_claimed_; });
    if (rules_.has_value()) return false;
    is_claimed_ = true;
    return true;
  }

  void set_rules(RobotsRules rules) {
    {
      std::lock_guard lock(mutex_);
      rules_ = std::move(rules);
      is_claimed_ = false;
    }
    known_.notify_all();
  }

  void give_up() {
    {
      std::lock_guard lock(mutex_);
      is_claimed_ = false;
    }
    known_.notify_all();
  }

  // Only when the rules are known.
  bool allows(std::string_view path) {
    std::lock_guard lock(mutex_);
    return rules_->allows(path);
  }

  void count_page() {
    std::lock_guard lock(mutex_);
    ++pages_;
  }

  int pages() {
    std::lock_guard lock(mutex_);
    return pages_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable known_;
  bool is_claimed_ = false;
  std::optional<RobotsRules> rules_;
  int pages_ = 0;
};

}  // namespace crawler

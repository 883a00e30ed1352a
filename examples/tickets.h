// SPDX-License-Identifier: Apache-2.0
// What docs/tutorial.md begins with: every access is locked, and yet one ticket can be sold twice.
#pragma once
#include <mutex>

class Tickets {
 public:
  explicit Tickets(int left) : left_(left) {}

  int left() {
    const std::lock_guard lock(mutex_);
    return left_;
  }

  bool sell() {
    if (left() == 0) return false;
    const std::lock_guard lock(mutex_);
    --left_;
    return true;
  }

 private:
  std::mutex mutex_;
  int left_;
};

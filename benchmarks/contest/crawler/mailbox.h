// SPDX-License-Identifier: Apache-2.0
// Mailbox: hands one worker its next address, or the news that there will be none.
//
// Thread safety: put() and close() by the manager, take() by the worker.
#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>

#include "frontier.h"

namespace crawler {

class Mailbox {
 public:
  // Only when the one before was taken.
  void put(const Frontier::Entry& entry) {
    {
      std::lock_guard lock(mutex_);
      entry_ = entry;
    }
    changed_.notify_one();
  }

  void close() {
    {
      std::lock_guard lock(mutex_);
      is_closed_ = true;
    }
    changed_.notify_one();
  }

  // Waits. What was put before close() still comes out.
  std::optional<Frontier::Entry> take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return entry_.has_value() || is_closed_; });
    std::optional<Frontier::Entry> entry;
    entry.swap(entry_);
    return entry;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<Frontier::Entry> entry_;
  bool is_closed_ = false;
};

}  // namespace crawler

// SPDX-License-Identifier: Apache-2.0
// Statistics: how many pages came to which end.
//
// Thread safety: any thread may call anything; sums fit together only when nobody counts any more.
#pragma once

#include <array>
#include <atomic>

#include "page.h"

namespace crawler {

class Statistics {
 public:
  void count(const Page& page) {
    by_status_[static_cast<std::size_t>(page.status())].fetch_add(1, std::memory_order_relaxed);
    bytes_.fetch_add(page.body().size(), std::memory_order_relaxed);
  }

  void count_robots(const Page& page) { robots_bytes_.fetch_add(page.body().size(), std::memory_order_relaxed); }

  int pages(FetchStatus status) const {
    return by_status_[static_cast<std::size_t>(status)].load(std::memory_order_relaxed);
  }
  int pages() const {
    int sum = 0;
    for (const std::atomic<int>& number : by_status_) sum += number.load(std::memory_order_relaxed);
    return sum;
  }
  std::size_t bytes() const { return bytes_ + robots_bytes_; }

 private:
  std::array<std::atomic<int>, 4> by_status_{};
  std::atomic<std::size_t> bytes_{0};
  std::atomic<std::size_t> robots_bytes_{0};
};

}  // namespace crawler

// SPDX-License-Identifier: Apache-2.0
// AddressRanges: which of many address ranges holds an address. Fill with add(), then finish(), then ask.
// Thread safety: plain data; find() may be called from several threads after finish().
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ravel {

template <typename T>
class AddressRanges {
 public:
  // [low, high). Empty and backward ranges are dropped: linkers leave them behind for discarded code.
  void add(std::uint64_t low, std::uint64_t high, T value) {
    if (low < high) entries_.push_back({low, high, high, std::move(value)});
  }

  // Equal starts keep the order in which they were added.
  void finish() {
    std::stable_sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) { return a.low < b.low; });
    std::uint64_t highest = 0;
    for (Entry& entry : entries_) {
      highest = std::max(highest, entry.high);
      entry.highest_so_far = highest;
    }
  }

  // The range that starts last among those holding `address`; among equal starts the one added first.
  const T* find(std::uint64_t address) const {
    auto it = std::upper_bound(entries_.begin(), entries_.end(), address,
                               [](std::uint64_t a, const Entry& entry) { return a < entry.low; });
    const Entry* found = nullptr;
    while (it != entries_.begin()) {
      --it;
      if (found != nullptr && it->low < found->low) break;
      if (address < it->high) found = &*it;
      if (it->highest_so_far <= address) break;
    }
    return found == nullptr ? nullptr : &found->value;
  }

  bool empty() const { return entries_.empty(); }

 private:
  struct Entry {
    std::uint64_t low;
    std::uint64_t high;
    std::uint64_t highest_so_far;  // over this and all entries before: lets find() stop early
    T value;
  };
  std::vector<Entry> entries_;
};

}  // namespace ravel

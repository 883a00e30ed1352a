// SPDX-License-Identifier: Apache-2.0
//
// OpenTable: hash table from a non-zero 64-bit key to a small value, for code inside the target.
//
// It starts with one page and doubles when half full, so that a short execution touches few pages: a page first touched
// in a forked child costs a fault, and short executions are mostly faults. Entries are never removed one by one.
//
// Thread safety: none; only the running task calls.
//
// Invariants:
//  1. At most half of the entries are used: a probe of an absent key ends.
//  2. Everything about the table follows from the sequence of calls, never from addresses it got from the kernel.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/check.h"
#include "runtime/memory/raw_pages.h"

namespace ravel {

template <typename Value>
class OpenTable {
 public:
  struct Entry {
    std::uint64_t key;  // 0: unused
    Value value;
  };

  // The entry of `key`, or nullptr.
  Entry* find(std::uint64_t key) {
    if (entries_ == nullptr) return nullptr;
    Entry& entry = slot(key);
    return entry.key == key ? &entry : nullptr;
  }

  // The entry of `key`, made with a zero value when there was none. Invalidates earlier pointers.
  Entry& find_or_add(std::uint64_t key) {
    if (entries_ != nullptr) [[likely]] {
      Entry& entry = slot(key);
      if (entry.key == key) [[likely]]
        return entry;
    }
    if (2 * (used_ + 1) > capacity()) grow();
    Entry& entry = slot(key);
    entry.key = key;
    ++used_;
    return entry;
  }

  // Gets the first page now: what is there before the fork need not be made in every execution.
  void prepare() {
    if (entries_ == nullptr) grow();
  }

  std::size_t size() const { return used_; }

  void clear() {
    if (entries_ != nullptr) release_pages(entries_, capacity() * sizeof(Entry));
    entries_ = nullptr;
    shift_ = 0;
    used_ = 0;
  }

 private:
  static constexpr std::size_t kFirstCapacity = std::bit_floor(4096 / sizeof(Entry));

  std::size_t capacity() const { return entries_ == nullptr ? 0 : std::size_t{1} << (64 - shift_); }

  Entry& slot(std::uint64_t key) {
    const std::size_t mask = capacity() - 1;
    std::size_t i = static_cast<std::size_t>((key * 0x9e3779b97f4a7c15ULL) >> shift_);
    while (entries_[i].key != 0 && entries_[i].key != key) i = (i + 1) & mask;
    return entries_[i];
  }

  void grow() {
    Entry* const old = entries_;
    const std::size_t old_capacity = capacity();
    const std::size_t new_capacity = old == nullptr ? kFirstCapacity : 2 * old_capacity;
    auto* const fresh = static_cast<Entry*>(reserve_pages(new_capacity * sizeof(Entry)));
    RAVEL_CHECK(fresh != nullptr, "no address space left for the runtime's tables");
    entries_ = fresh;
    shift_ = 64U - static_cast<unsigned>(__builtin_ctzll(new_capacity));
    for (std::size_t i = 0; i < old_capacity; ++i) {
      if (old[i].key != 0) slot(old[i].key) = old[i];
    }
    if (old != nullptr) release_pages(old, old_capacity * sizeof(Entry));
  }

  Entry* entries_ = nullptr;
  unsigned shift_ = 0;  // 64 - log2(capacity)
  std::size_t used_ = 0;
};

}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
//
// GrowingTable: entries by number, for code inside the target. It begins among the runtime's small tables, which lie
// close together, and moves once, to address space for all entries, when it has more. So a short execution needs few
// page tables, which cost a fork more than the pages themselves: each is made, looked through and freed.
//
// Thread safety: none; only the running task calls.
//
// Invariants:
//  1. Entries start as zeroes.
//  2. A pointer to an entry is valid until the next make_room() or use_all().
#pragma once

#include <cstddef>
#include <cstring>

#include "runtime/memory/raw_pages.h"

namespace ravel {

template <typename T>
class GrowingTable {
 public:
  // Room for entries 0 to most - 1. Before any fork. False: there is not so much address space.
  bool prepare(std::size_t most) {
    all_ = static_cast<T*>(reserve_pages(most * sizeof(T)));
    if (all_ == nullptr) return false;
    most_ = most;
    capacity_ = kFirstBytes / sizeof(T);
    entries_ = capacity_ < most ? static_cast<T*>(reserve_pages(kFirstBytes)) : nullptr;
    if (entries_ == nullptr) use_all();
    return true;
  }
  bool prepared() const { return entries_ != nullptr; }

  // From now on entry n may be used, and all before it. False: there are not as many.
  bool make_room(std::size_t n) {
    if (n < capacity_) [[likely]]
      return true;
    if (n >= most_) return false;
    use_all();
    return true;
  }

  // From now on all entries may be used, and pointers to them stay valid.
  void use_all() {
    if (entries_ == all_) return;
    if (entries_ != nullptr) std::memcpy(static_cast<void*>(all_), entries_, capacity_ * sizeof(T));
    entries_ = all_;
    capacity_ = most_;
  }

  T& operator[](std::size_t n) const { return entries_[n]; }
  std::size_t number_of(const T* entry) const { return static_cast<std::size_t>(entry - entries_); }

 private:
  static constexpr std::size_t kFirstBytes = std::size_t{64} << 10;
  static_assert(sizeof(T) <= kFirstBytes);

  T* entries_ = nullptr;
  std::size_t capacity_ = 0;
  T* all_ = nullptr;
  std::size_t most_ = 0;
};

}  // namespace ravel

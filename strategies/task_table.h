// SPDX-License-Identifier: Apache-2.0
// TaskTable: one T for each number below kMaxTasks (tasks, or anything there are no more of than tasks), initially
// zero.
//
// The first entries are in the object itself, so that the tables of one chooser share a few pages: an execution is a
// forked process, in which the first touch of a page costs more than a hundred steps. The others are mapped on first
// use, far from where the program's own memory is mapped: whether a chooser has this table must not change an address
// that the program sees.
//
// Used by choosers inside the target; a zeroed object is an empty table. Not thread-safe: one task at a time calls in.
// Mapped memory is never returned: tables are static.
#pragma once

#include <sys/mman.h>
#include <sys/syscall.h>

#include <cstdint>

#include "base/check.h"
#include "base/ids.h"
#include "base/raw_syscall.h"

namespace ravel {

// Where the next table is mapped. The kernel hands out the highest free addresses first; these are far below.
inline constinit std::uint64_t g_next_table = std::uint64_t{0x2000} << 32;

template <typename T, std::uint32_t kEntries = kMaxTasks>
class TaskTable {
 public:
  T& operator[](std::uint32_t index) {
    if (index < kNear) [[likely]]
      return near_[index];
    if (far_ == nullptr) [[unlikely]]
      far_ = map_rest();
    return far_[index];
  }
  const T& operator[](std::uint32_t index) const {
    static constexpr T kUntouched = {};
    if (index < kNear) [[likely]]
      return near_[index];
    return far_ == nullptr ? kUntouched : far_[index];
  }

 private:
  static constexpr std::uint32_t kNear = 32;

  static T* map_rest() {
    constexpr std::uint64_t kBytes = (sizeof(T) * kEntries + 4095) & ~std::uint64_t{4095};
    const long start = raw_syscall(SYS_mmap, static_cast<long>(g_next_table), static_cast<long>(kBytes),
                                   PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    RAVEL_CHECK(start > 0, "no address space for the tables of a strategy");
    g_next_table += kBytes;
    return reinterpret_cast<T*>(start);
  }

  T near_[kNear] = {};
  T* far_ = nullptr;
};

}  // namespace ravel

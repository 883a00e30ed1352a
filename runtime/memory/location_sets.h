// SPDX-License-Identifier: Apache-2.0
//
// LocationSets: sets of code locations as numbers. A granule of memory remembers ALL locations that touched it by
// holding one such number.
//
// A set is a chain: its newest member and the set without it. Equal (set, member) pairs are the same number, so that
// the thousand granules of an array that went through the same loops share one chain. Adding a location that is in the
// set already gives the same number; that question is answered by a look at the newest member, a small cache, or a
// walk.
//
// Who calls it: SharedMemoryMap. Thread safety: none; only the running task calls.
//
// Invariants:
//  1. 0 is the empty set. A number's contents never change.
//  2. A chain holds no location twice.
#pragma once

#include <cstdint>

#include "runtime/memory/open_table.h"

namespace ravel {

class LocationSets {
 public:
  static constexpr std::uint32_t kMaxSets = 1U << 26;
  static constexpr std::uint32_t kFull = ~std::uint32_t{0};

  // set + {location}; location > 0. kFull when no further set can be made.
  std::uint32_t add(std::uint32_t set, std::uint32_t location) {
    if (set != 0 && nodes_[set].location == location) return set;
    const CacheEntry& cached = cache_[cache_index(set, location)];
    if (cached.set == set && cached.location == location) return cached.result;
    return add_slowly(set, location);
  }

  template <typename Visit>
  void for_each(std::uint32_t set, Visit visit) const {
    for (; set != 0; set = nodes_[set].rest) visit(nodes_[set].location);
  }

 private:
  struct Node {
    std::uint32_t location;
    std::uint32_t rest;
  };
  struct CacheEntry {
    std::uint32_t set;
    std::uint32_t location;  // 0: unused, as locations start at 1
    std::uint32_t result;
  };
  static constexpr std::uint32_t kCacheSize = 1024;

  static std::uint32_t cache_index(std::uint32_t set, std::uint32_t location) {
    return ((set * 0x9e3779b1U) ^ (location * 0x85ebca6bU)) >> 22;
  }

  std::uint32_t add_slowly(std::uint32_t set, std::uint32_t location);

  CacheEntry cache_[kCacheSize] = {};
  Node* nodes_ = nullptr;
  std::uint32_t count_ = 0;        // nodes_[1..count_] are in use
  OpenTable<std::uint32_t> made_;  // (set, location) -> the set made of them
};

}  // namespace ravel

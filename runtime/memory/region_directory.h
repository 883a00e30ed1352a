// SPDX-License-Identifier: Apache-2.0
//
// RegionDirectory: a number for every region (256 KB) of the program's memory, for tables that have a leaf for each
// region that was touched. 0: none yet.
//
// The first regions are in one page, at a place computed from their address; a region whose place is taken is in an
// array with room for all regions. That array is as sparse as the program's memory, so every page of it needs page
// tables of its own, which a fork has to copy: programs with little memory do without it.
//
// Thread safety: any thread may call. Two calls of add() for one region agree.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/memory/raw_pages.h"

namespace ravel {

class RegionDirectory {
 public:
  static constexpr unsigned kRegionBits = 18;
  static constexpr unsigned kAddressBits = 47;
  static constexpr std::uint64_t kRegions = std::uint64_t{1} << (kAddressBits - kRegionBits);

  // Reserves address space; once. False when there is none.
  bool prepare() {
    first_ = static_cast<std::uint64_t*>(reserve_pages(kPlaces * sizeof(std::uint64_t)));
    others_ = static_cast<std::int32_t*>(reserve_pages(kRegions * sizeof(std::int32_t)));
    return first_ != nullptr && others_ != nullptr;
  }

  // Any number is allowed for a region: what cannot be one has 0.
  std::int32_t at(std::uint64_t region) const {
    const std::uint64_t entry = __atomic_load_n(&first_[region % kPlaces], __ATOMIC_RELAXED);
    if (entry >> 32 == region + 1) [[likely]]
      return static_cast<std::int32_t>(entry);
    if (entry == 0 || region >= kRegions) return 0;
    return __atomic_load_n(&others_[region], __ATOMIC_RELAXED);
  }

  // Gives a region that has none this number, unless another thread was faster. Returns what it has. region < kRegions.
  std::int32_t add(std::uint64_t region, std::int32_t number) {
    std::uint64_t entry = 0;
    if (exchange(first_[region % kPlaces], entry, entry_of(region, number))) return number;
    if (entry >> 32 == region + 1) return static_cast<std::int32_t>(entry);
    std::int32_t other = 0;
    return exchange(others_[region], other, number) ? number : other;
  }

  // Another number for a region that has one.
  void change(std::uint64_t region, std::int32_t number) {
    std::uint64_t& entry = first_[region % kPlaces];
    if (entry >> 32 == region + 1) {
      entry = entry_of(region, number);
    } else {
      others_[region] = number;
    }
  }

 private:
  static constexpr std::size_t kPlaces = 512;

  static std::uint64_t entry_of(std::uint64_t region, std::int32_t number) {
    return (region + 1) << 32 | static_cast<std::uint32_t>(number);
  }
  template <typename T>
  static bool exchange(T& word, T& expected, T desired) {
    return __atomic_compare_exchange_n(&word, &expected, desired, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  }

  std::uint64_t* first_ = nullptr;  // 1 + region, and its number; by region % kPlaces
  std::int32_t* others_ = nullptr;  // by region
};

}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
//
// ShadowMemory: one cell for every 8 bytes (a granule) of the program's memory, made when the granule is first touched.
// RaceDetector (the latest accesses) and ContendedMemory (which code touches memory that tasks race for) define what
// the cells mean; they share cells because every access needs both, with one lookup.
//
// Layout: a directory of 4-byte numbers, one per 256 KB region of the program, leads to a leaf with one 24-byte cell
// per granule. Both live in address space reserved once, before the fork server forks; executions make no system call
// here, and pay one page fault per 1.3 KB of memory they touch. Fresh leaves are packed side by side, so that the
// stacks of many tasks, which are far apart, share page tables.
//
// Thread safety: none; only the running task calls.
//
// Invariant: a cell of zeroes is untouched memory.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ravel {

struct ShadowCell {
  // RaceDetector
  std::uint64_t last_write;  // AccessSlot
  std::uint64_t last_read;   // AccessSlot
  std::uint32_t more;        // first of the further accesses, or 0
  std::uint32_t freed : 1;   // the heap took the memory back
  // ContendedMemory
  std::uint32_t contended : 1;

  bool flags() const { return (contended | freed) != 0; }  // is any of them set?
};
static_assert(sizeof(ShadowCell) == 24);

class ShadowMemory {
 public:
  static constexpr unsigned kGranuleBits = 3;
  static constexpr unsigned kRegionBits = 18;
  static constexpr std::size_t kCellsPerLeaf = std::size_t{1} << (kRegionBits - kGranuleBits);

  // Reserves the address space. Once, before the first access and before any fork.
  void prepare();
  bool prepared() const { return directory_ != nullptr; }

  // The cell of the granule that holds `address`; nullptr where memory is not tracked (no room left).
  ShadowCell* cell(std::uint64_t address) {
    ShadowCell* const leaf = leaf_of(address, true);
    return leaf == nullptr ? nullptr : leaf + ((address >> kGranuleBits) % kCellsPerLeaf);
  }

  // The cell of a granule in a region that was touched; nullptr where none was, and for what cannot be an address.
  ShadowCell* seen_cell(std::uint64_t address) const {
    const std::uint64_t region = address >> kRegionBits;
    if (region >= kRegions) [[unlikely]]
      return nullptr;
    const std::uint32_t number = directory_[region];
    return number == 0 ? nullptr : leaves_ + number * kCellsPerLeaf + ((address >> kGranuleBits) % kCellsPerLeaf);
  }

  // Visits the cells of the granules in [first, end), granule numbers; those never touched only when `make`.
  template <typename Visit>
  void for_each(std::uint64_t first, std::uint64_t end, bool make, Visit visit) {
    while (first < end) {
      std::uint64_t leaf_end = (first / kCellsPerLeaf + 1) * kCellsPerLeaf;
      if (leaf_end > end) leaf_end = end;
      if (ShadowCell* leaf = leaf_of(first << kGranuleBits, make)) {
        for (std::uint64_t g = first; g < leaf_end; ++g) visit(leaf[g % kCellsPerLeaf], g);
      }
      first = leaf_end;
    }
  }

 private:
  static constexpr unsigned kAddressBits = 47;
  static constexpr std::size_t kRegions = std::size_t{1} << (kAddressBits - kRegionBits);
  static constexpr std::size_t kMostLeaves = std::size_t{1} << 17;  // covers 32 GB of touched program memory
  static constexpr std::size_t kFewestLeaves = 64;

  ShadowCell* leaf_of(std::uint64_t address, bool make) {
    const std::uint64_t region = address >> kRegionBits;
    if (region >= kRegions) [[unlikely]]
      return nullptr;
    std::uint32_t& number = directory_[region];
    if (number == 0) [[unlikely]] {
      if (!make || leaf_count_ == leaf_capacity_) return nullptr;
      number = static_cast<std::uint32_t>(leaf_count_++);
    }
    return leaves_ + number * kCellsPerLeaf;
  }

  std::uint32_t* directory_ = nullptr;  // leaf number by region; 0: none yet
  ShadowCell* leaves_ = nullptr;
  std::size_t leaf_capacity_ = 0;
  std::size_t leaf_count_ = 1;  // leaf 0 is never handed out
};

}  // namespace ravel

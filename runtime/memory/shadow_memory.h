// SPDX-License-Identifier: Apache-2.0
//
// ShadowMemory: one cell for every 8 bytes (a granule) of the program's memory, made when the granule is first touched.
// RaceDetector (the latest accesses) and ContendedMemory (which code touches memory that tasks race for) define what
// the cells mean; they share cells because every access needs both, with one lookup.
//
// Layout: a directory leads from each 256 KB region of the program to a leaf with one 24-byte cell per granule.
// Both live in address space reserved once, before the fork server forks; executions make no system call
// here, and pay one page fault per 1.3 KB of memory they touch. Fresh leaves are packed side by side, so that the
// stacks of many tasks, which are far apart, share page tables.
//
// Pages: an access to a long range (memset, memcpy, free) leaves the same in all cells of a page. Such a page is
// folded: one cell stands for all of its cells, so the access costs about as much as a page of memory costs natively. A
// region that has folded pages is marked in the directory, where every access looks: seen_cell does not find it, and so
// costs what it would cost without all this. An access to a part of a folded page unfolds it. When that has happened
// some times in a region, all of the region is unfolded: its accesses are single ones now.
//
// Thread safety: none; only the running task calls.
//
// Invariants:
//  1. A cell of zeroes is untouched memory.
//  2. Cells of folded pages have no further accesses (ShadowCell::more).
//  3. A pointer to a cell is valid until the next call for a range.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "runtime/memory/region_directory.h"

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
  bool is_untouched() const { return last_write == 0 && last_read == 0 && more == 0 && !flags(); }
};
static_assert(sizeof(ShadowCell) == 24);

class ShadowMemory {
 public:
  static constexpr unsigned kGranuleBits = 3;
  static constexpr unsigned kRegionBits = RegionDirectory::kRegionBits;
  static constexpr std::size_t kCellsPerLeaf = std::size_t{1} << (kRegionBits - kGranuleBits);

  // Reserves the address space. Once, before the first access and before any fork.
  void prepare();
  bool prepared() const { return leaves_ != nullptr; }

  // The cell of the granule that holds `address`; nullptr where memory is not tracked (no room left).
  ShadowCell* cell(std::uint64_t address) {
    if (ShadowCell* const seen = seen_cell(address)) [[likely]]
      return seen;
    return cell_slowly(address);
  }

  // The cell of a granule in a region that was touched and has no folded pages; nullptr otherwise, and for what cannot
  // be an address.
  ShadowCell* seen_cell(std::uint64_t address) const {
    const std::int32_t number = directory_.at(address >> kRegionBits);
    if (number <= 0) return nullptr;
    return leaves_ + static_cast<std::uint32_t>(number) * kCellsPerLeaf + ((address >> kGranuleBits) % kCellsPerLeaf);
  }

  // What the cell of a granule holds.
  ShadowCell contents(std::uint64_t address) const;

  // Visits the cells of the granules in [first, end), granule numbers. `fold(cell)` is offered the cell that stands for
  // a whole page: it does to that what `visit(cell, granule)` would do to each, and returns true; or it changes nothing
  // and returns false, and the cells are visited. Memory that was never touched is visited only when `make`.
  template <typename Fold, typename Visit>
  void for_range(std::uint64_t first, std::uint64_t end, bool make, Fold fold, Visit visit) {
    while (first < end) {
      std::uint64_t leaf_end = (first / kCellsPerLeaf + 1) * kCellsPerLeaf;
      if (leaf_end > end) leaf_end = end;
      const std::uint64_t address = first << kGranuleBits;
      const bool has_page = leaf_end - first >= kCellsPerPage && holds_page(first, leaf_end);
      const std::int32_t number = leaf_number(address, make, has_page);
      if (number > 0 && !has_page) [[likely]] {
        visit_cells(leaf_at(number), first, leaf_end, visit);
      } else if (number != 0) {
        visit_pages(address >> kRegionBits, first, leaf_end, make, fold, visit);
      }
      first = leaf_end;
    }
  }

 private:
  static constexpr unsigned kPageBits = 12;
  static constexpr std::size_t kCellsPerPage = std::size_t{1} << (kPageBits - kGranuleBits);
  static constexpr unsigned kPages = 1U << (kRegionBits - kPageBits);
  static_assert(kPages == 64, "one bit each");
  static constexpr std::uint32_t kMostUnfolded = 64;

  // Of a region that is marked. Its pages are folded, untouched (their cells are zeroes), or neither.
  struct FoldedRegion {
    std::uint64_t folded;     // one bit for each page
    std::uint64_t untouched;  // likewise
    std::uint64_t unfolded;   // how many single accesses met a folded page
    ShadowCell page[kPages];  // for all cells of a folded page
  };

  template <typename Visit>
  static void visit_cells(ShadowCell* leaf, std::uint64_t first, std::uint64_t end, Visit& visit) {
    for (std::uint64_t g = first; g < end; ++g) visit(leaf[g % kCellsPerLeaf], g);
  }

  template <typename Fold, typename Visit>
  void visit_pages(std::uint64_t region, std::uint64_t first, std::uint64_t end, bool make, Fold& fold, Visit& visit) {
    for (std::uint64_t next = first; first < end; first = next) {
      next = std::min(end, (first / kCellsPerPage + 1) * kCellsPerPage);
      const unsigned page = (first / kCellsPerPage) % kPages;
      if (!make && is_untouched(region, page)) continue;
      if (next - first == kCellsPerPage && fold_page(region, page, fold)) continue;
      visit_cells(unfold(region, page), first, next, visit);
    }
  }

  // Offers the page to `fold`, folded if it can be. False: it is as before.
  template <typename Fold>
  bool fold_page(std::uint64_t region, unsigned page, Fold& fold) {
    const std::uint64_t bit = std::uint64_t{1} << page;
    const std::int32_t number = directory_.at(region);
    FoldedRegion& state = regions_[number < 0 ? -number : number];
    const bool is_marked = number < 0;
    if (is_marked && (state.folded & bit) != 0) return fold(state.page[page]);
    ShadowCell all = {};
    const bool is_untouched = is_marked && (state.untouched & bit) != 0;
    if (!is_untouched) {
      const ShadowCell* const cells = leaf_at(number) + page * kCellsPerPage;
      if (!are_alike(cells)) return false;
      all = cells[0];
    }
    if (!fold(all)) return false;
    if (!is_untouched && all.is_untouched() && leaf_at(number)[page * kCellsPerPage].is_untouched()) return true;
    if (!is_marked) mark(region, 0);
    state.page[page] = all;
    state.folded |= bit;
    state.untouched &= ~bit;
    return true;
  }

  static bool holds_page(std::uint64_t first, std::uint64_t end) {
    return (first + kCellsPerPage - 1) / kCellsPerPage * kCellsPerPage + kCellsPerPage <= end;
  }
  ShadowCell* leaf_at(std::int32_t number) const {
    return leaves_ + static_cast<std::size_t>(number < 0 ? -number : number) * kCellsPerLeaf;
  }
  bool is_untouched(std::uint64_t region, unsigned page) const {
    const std::int32_t number = directory_.at(region);
    return number == 0 || (number < 0 && (regions_[-number].untouched >> page & 1) != 0);
  }

  // All cells of a page are the same, and could be folded.
  static bool are_alike(const ShadowCell* cells);
  // The region has folded pages from now on.
  void mark(std::uint64_t region, std::uint64_t untouched);
  void unmark(std::uint64_t region);
  // Gives the page cells of its own; returns the leaf.
  ShadowCell* unfold(std::uint64_t region, unsigned page);
  ShadowCell* cell_slowly(std::uint64_t address);

  static constexpr std::size_t kMostLeaves = std::size_t{1} << 17;  // covers 32 GB of touched program memory
  static constexpr std::size_t kFewestLeaves = 64;

  // As the directory has it. `marked`: a region that is made begins with all pages untouched.
  std::int32_t leaf_number(std::uint64_t address, bool make, bool marked) {
    const std::uint64_t region = address >> kRegionBits;
    const std::int32_t number = directory_.at(region);
    if (number != 0 || !make) [[likely]]
      return number;
    if (region >= RegionDirectory::kRegions || leaf_count_ == leaf_capacity_) return 0;
    directory_.add(region, static_cast<std::int32_t>(leaf_count_++));
    if (marked) mark(region, ~std::uint64_t{0});
    return directory_.at(region);
  }

  RegionDirectory directory_;  // leads to leaves; negative: the region is marked
  ShadowCell* leaves_ = nullptr;
  FoldedRegion* regions_ = nullptr;  // by leaf number
  std::size_t leaf_capacity_ = 0;
  std::size_t leaf_count_ = 1;  // leaf 0 is never handed out
};

}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
#include "runtime/memory/shadow_memory.h"

#include "base/check.h"
#include "runtime/memory/raw_pages.h"

namespace ravel {

void ShadowMemory::prepare() {
  if (prepared()) return;
  // Under an address-space limit fewer leaves do; memory beyond them is simply not tracked.
  leaf_capacity_ = kMostLeaves;
  while (leaves_ == nullptr && leaf_capacity_ >= kFewestLeaves) {
    leaves_ = static_cast<ShadowCell*>(reserve_pages(leaf_capacity_ * kCellsPerLeaf * sizeof(ShadowCell)));
    if (leaves_ == nullptr) leaf_capacity_ /= 2;
  }
  regions_ = static_cast<FoldedRegion*>(reserve_pages(leaf_capacity_ * sizeof(FoldedRegion)));
  RAVEL_CHECK(directory_.prepare() && leaves_ != nullptr && regions_ != nullptr,
              "no address space left for the map of shared memory");
}

bool ShadowMemory::are_alike(const ShadowCell* cells) {
  if (cells[0].more != 0) return false;
  // Neighbours, as words: nothing is faster than this loop.
  const auto* words = reinterpret_cast<const std::uint64_t*>(cells);
  constexpr std::size_t kWordsPerCell = sizeof(ShadowCell) / sizeof(std::uint64_t);
  std::uint64_t different = 0;
  for (std::size_t page_part = 0; page_part < kCellsPerPage && different == 0; page_part += 64) {
    for (std::size_t i = page_part * kWordsPerCell; i < (page_part + 64) * kWordsPerCell; ++i) {
      different |= words[i] ^ words[i % kWordsPerCell];
    }
  }
  return different == 0;
}

void ShadowMemory::mark(std::uint64_t region, std::uint64_t untouched) {
  const std::int32_t number = directory_.at(region);
  FoldedRegion& state = regions_[number];
  state.folded = 0;
  state.untouched = untouched;
  state.unfolded = 0;
  directory_.change(region, -number);
}

void ShadowMemory::unmark(std::uint64_t region) {
  const std::int32_t number = -directory_.at(region);
  const FoldedRegion& state = regions_[number];
  for (unsigned page = 0; page < kPages; ++page) {
    if ((state.folded >> page & 1) != 0) unfold(region, page);
  }
  directory_.change(region, number);
}

ShadowCell* ShadowMemory::unfold(std::uint64_t region, unsigned page) {
  const std::int32_t number = directory_.at(region);
  ShadowCell* const leaf = leaf_at(number);
  if (number > 0) return leaf;
  FoldedRegion& state = regions_[-number];
  const std::uint64_t bit = std::uint64_t{1} << page;
  if ((state.folded & bit) != 0) {
    const ShadowCell all = state.page[page];
    for (std::size_t i = 0; i < kCellsPerPage; ++i) {
      ShadowCell& cell = leaf[page * kCellsPerPage + i];
      // Writing zeroes over zeroes would still cost the page.
      if (!all.is_untouched() || !cell.is_untouched()) cell = all;
    }
  }
  state.folded &= ~bit;
  state.untouched &= ~bit;
  return leaf;
}

ShadowCell* ShadowMemory::cell_slowly(std::uint64_t address) {
  const std::int32_t number = leaf_number(address, true, false);
  if (number == 0) return nullptr;
  if (number < 0) {
    const std::uint64_t region = address >> kRegionBits;
    FoldedRegion& state = regions_[-number];
    unfold(region, (address >> kPageBits) % kPages);
    if (state.folded == 0 || ++state.unfolded > kMostUnfolded) unmark(region);
  }
  return leaf_at(number) + (address >> kGranuleBits) % kCellsPerLeaf;
}

ShadowCell ShadowMemory::contents(std::uint64_t address) const {
  const std::uint64_t region = address >> kRegionBits;
  const std::int32_t number = directory_.at(region);
  if (number == 0) return {};
  if (number < 0) {
    const FoldedRegion& state = regions_[-number];
    const unsigned page = (address >> kPageBits) % kPages;
    if ((state.folded >> page & 1) != 0) return state.page[page];
  }
  return leaf_at(number)[(address >> kGranuleBits) % kCellsPerLeaf];
}

}  // namespace ravel

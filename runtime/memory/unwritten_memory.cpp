// SPDX-License-Identifier: Apache-2.0
#include "runtime/memory/unwritten_memory.h"

#include "runtime/memory/raw_pages.h"

namespace ravel {

bool UnwrittenMemory::prepare() {
  if (leaves_ != nullptr) return true;
  if (!directory_.prepare()) return false;
  leaves_ = static_cast<std::uint64_t*>(reserve_pages(kMostLeaves * kWordsPerLeaf * sizeof(std::uint64_t)));
  return leaves_ != nullptr;
}

std::uint64_t* UnwrittenMemory::word_of(std::uint64_t granule) const {
  if (leaves_ == nullptr) return nullptr;
  const auto number = static_cast<std::uint32_t>(directory_.at(granule / kGranulesPerLeaf));
  return number == 0 ? nullptr : leaves_ + number * kWordsPerLeaf + granule % kGranulesPerLeaf / 64;
}

std::uint64_t* UnwrittenMemory::make_word(std::uint64_t granule) {
  if (std::uint64_t* word = word_of(granule)) return word;
  const std::uint64_t region = granule / kGranulesPerLeaf;
  if (leaves_ == nullptr || region >= RegionDirectory::kRegions) return nullptr;
  if (__atomic_load_n(&leaf_count_, __ATOMIC_RELAXED) >= kMostLeaves) return nullptr;
  const std::uint32_t fresh = __atomic_fetch_add(&leaf_count_, 1, __ATOMIC_RELAXED);
  if (fresh >= kMostLeaves) return nullptr;
  directory_.add(region, static_cast<std::int32_t>(fresh));
  return word_of(granule);
}

void UnwrittenMemory::handed_out(std::uint64_t start, std::uint64_t size) {
  const std::uint64_t end = (start + size + 7) >> kGranuleBits;
  for (std::uint64_t granule = start >> kGranuleBits; granule < end; ++granule) {
    std::uint64_t* word = make_word(granule);
    if (word == nullptr) continue;
    *reinterpret_cast<std::uint64_t*>(granule << kGranuleBits) = kPattern;
    *word |= std::uint64_t{1} << granule % 64;
  }
}

void UnwrittenMemory::written(std::uint64_t address, std::uint64_t size) {
  if (size == 0) return;
  const std::uint64_t last = (address + size - 1) >> kGranuleBits;
  for (std::uint64_t granule = address >> kGranuleBits; granule <= last; ++granule) {
    std::uint64_t* word = word_of(granule);
    if (word == nullptr) {
      granule |= kGranulesPerLeaf - 1;  // nothing is known of this region
      continue;
    }
    *word &= ~(std::uint64_t{1} << granule % 64);
  }
}

bool UnwrittenMemory::unwritten(std::uint64_t address, std::uint64_t size) const {
  const std::uint64_t last = (address + size - 1) >> kGranuleBits;
  for (std::uint64_t granule = address >> kGranuleBits; granule <= last; ++granule) {
    const std::uint64_t* word = word_of(granule);
    if (word == nullptr || (*word >> granule % 64 & 1) == 0) return false;
    if (*reinterpret_cast<const std::uint64_t*>(granule << kGranuleBits) != kPattern) return false;
  }
  return true;
}

}  // namespace ravel

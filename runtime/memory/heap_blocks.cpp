// SPDX-License-Identifier: Apache-2.0
#include "runtime/memory/heap_blocks.h"

#include "base/check.h"
#include "runtime/memory/raw_pages.h"

namespace ravel {

bool HeapBlocks::prepare() {
  if (prepared()) return true;
  if (large_ == nullptr) {
    large_ = static_cast<Large*>(reserve_pages(kMostLarge * sizeof(Large)));
    if (large_ == nullptr || !directory_.prepare()) return false;
  }
  // Under an address-space limit there are fewer leaves; blocks beyond them are simply not known.
  for (leaf_capacity_ = kMostLeaves; leaf_capacity_ >= kFewestLeaves; leaf_capacity_ /= 2) {
    leaves_ = static_cast<std::uint64_t*>(reserve_pages(leaf_capacity_ * kEntriesPerLeaf * sizeof(std::uint64_t)));
    if (leaves_ != nullptr) return true;
  }
  return false;
}

std::uint64_t HeapBlocks::packed(State state, HeapKind kind, TaskId allocated_by, TaskId freed_by, std::uint64_t size) {
  const std::uint64_t kept = size < kSizeInList ? size : kSizeInList;
  return static_cast<std::uint64_t>(state) | static_cast<std::uint64_t>(kind) << kKindAt |
         (allocated_by & kTaskMask) << kAllocatedByAt | (freed_by & kTaskMask) << kFreedByAt | kept << kSizeAt;
}

inline std::uint64_t* HeapBlocks::leaf_of(std::uint64_t address) const {
  if (leaves_ == nullptr) [[unlikely]]
    return nullptr;
  const auto number = static_cast<std::uint32_t>(directory_.at(address >> kRegionBits));
  return number == 0 ? nullptr : leaves_ + number * kEntriesPerLeaf;
}

std::uint64_t* HeapBlocks::make_leaf(std::uint64_t address) {
  const std::uint64_t region = address >> kRegionBits;
  if (region >= RegionDirectory::kRegions || leaves_ == nullptr) return nullptr;
  if (__atomic_load_n(&leaf_count_, __ATOMIC_RELAXED) >= leaf_capacity_) return nullptr;
  const std::uint32_t fresh = __atomic_fetch_add(&leaf_count_, 1, __ATOMIC_RELAXED);
  if (fresh >= leaf_capacity_) return nullptr;
  // Another thread may have been faster: then the fresh leaf is lost, which only costs address space.
  const auto number = static_cast<std::uint32_t>(directory_.add(region, static_cast<std::int32_t>(fresh)));
  return leaves_ + number * kEntriesPerLeaf;
}

void HeapBlocks::allocated(std::uint64_t start, std::uint64_t size, HeapKind kind, TaskId task) {
  std::uint64_t* leaf = leaf_of(start);
  if (leaf == nullptr) [[unlikely]] {
    leaf = make_leaf(start);
    if (leaf == nullptr) return;
  }
  leaf[(start >> kStepBits) % kEntriesPerLeaf] = packed(State::live, kind, task, 0, size);
  if (size >= kLarge) [[unlikely]]
    list(start, size);
}

HeapBlock HeapBlocks::block(std::uint64_t start, std::uint64_t entry) const {
  HeapBlock found;
  const State state = state_of(entry);
  if (state == State::none) return found;
  found.start = start;
  found.size = entry >> kSizeAt;
  if (found.size == kSizeInList) found.size = listed_size(start);
  found.kind = static_cast<HeapKind>((entry >> kKindAt) & 7);
  found.allocated_by = task_at(entry, kAllocatedByAt);
  found.freed = state == State::freed;
  if (found.freed) found.freed_by = task_at(entry, kFreedByAt);
  return found;
}

HeapBlock HeapBlocks::at(std::uint64_t start) const {
  const std::uint64_t* entry = entry_of(start);
  return entry == nullptr ? HeapBlock{} : block(start, *entry);
}

HeapBlock HeapBlocks::holding(std::uint64_t address) const {
  if (leaves_ == nullptr) return {};
  const auto inside = [address](const HeapBlock& found) {
    return found && address - found.start < (found.size == 0 ? 1 : found.size);
  };
  for (std::uint32_t i = 0; i < large_end_; ++i) {
    if (large_[i].start == 0 || address - large_[i].start >= large_[i].size) continue;
    // The entry of the block says whether the list is still right about it.
    if (const HeapBlock found = at(large_[i].start); inside(found)) return found;
  }
  // The nearest block that starts at or before the address; one that is not large starts within reach.
  std::uint64_t start = address & ~std::uint64_t{15};
  const std::uint64_t last = start > kLarge ? start - kLarge : 0;
  while (start > last) {
    const std::uint64_t* leaf = leaf_of(start);
    if (leaf == nullptr) {
      start = (start >> kRegionBits << kRegionBits) - 16;
      if (start > address) break;  // below the first region
      continue;
    }
    const std::uint64_t entry = leaf[(start >> kStepBits) % kEntriesPerLeaf];
    if (state_of(entry) != State::none) {
      const HeapBlock found = block(start, entry);
      return inside(found) ? found : HeapBlock{};
    }
    start -= 16;
  }
  return {};
}

void HeapBlocks::freed(std::uint64_t start, TaskId task) {
  std::uint64_t* entry = entry_of(start);
  if (entry == nullptr || state_of(*entry) != State::live) return;
  *entry = (*entry & ~std::uint64_t{3}) | static_cast<std::uint64_t>(State::freed) | (task & kTaskMask) << kFreedByAt;
}

void HeapBlocks::change(std::uint64_t start, std::uint64_t size, HeapKind kind) {
  std::uint64_t* entry = entry_of(start);
  if (entry == nullptr || state_of(*entry) != State::live) return;
  const HeapBlock before = block(start, *entry);
  *entry = packed(State::live, kind, before.allocated_by, 0, size);
  if (before.size >= kLarge) unlist(start);
  if (size >= kLarge) list(start, size);
}

void HeapBlocks::forget(std::uint64_t start) {
  std::uint64_t* entry = entry_of(start);
  if (entry == nullptr) return;
  if (*entry >> kSizeAt >= kLarge) [[unlikely]]
    unlist(start);
  *entry = 0;
}

// Large blocks are few and cost system calls: compared to that a walk is cheap. A full list only means that addresses
// inside further ones are not recognised.
void HeapBlocks::list(std::uint64_t start, std::uint64_t size) {
  for (std::uint32_t i = 0; i < kMostLarge; ++i) {
    std::uint64_t unused = 0;
    if (!__atomic_compare_exchange_n(&large_[i].start, &unused, start, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
      if (unused != start) continue;
    }
    large_[i].size = size;
    if (i >= large_end_) large_end_ = i + 1;
    return;
  }
}

void HeapBlocks::unlist(std::uint64_t start) {
  for (std::uint32_t i = 0; i < large_end_; ++i) {
    if (large_[i].start != start) continue;
    __atomic_store_n(&large_[i].start, 0, __ATOMIC_RELAXED);
    return;
  }
}

std::uint64_t HeapBlocks::listed_size(std::uint64_t start) const {
  for (std::uint32_t i = 0; i < large_end_; ++i) {
    if (large_[i].start == start) return large_[i].size;
  }
  return kSizeInList;
}

std::uint64_t Quarantine::capacity_for(std::uint64_t bytes) {
  std::uint64_t capacity = 64;
  while (capacity * kLeastCharge <= bytes + kLeastCharge) capacity *= 2;
  return capacity;
}

void Quarantine::prepare(std::uint64_t bytes) {
  bound_ = bytes;
  capacity_ = capacity_for(bytes);
  ring_ = bytes == 0 ? nullptr : static_cast<Block*>(reserve_pages(capacity_ * sizeof(Block)));
  if (ring_ == nullptr) bound_ = 0;
}

void Quarantine::limit(std::uint64_t bytes) {
  if (bytes >= bound_) return;
  bound_ = bytes;
  capacity_ = capacity_for(bytes);  // fewer entries are used, fewer pages touched
}

void Quarantine::add(std::uint64_t start, std::uint64_t bytes) {
  RAVEL_CHECK(end_ - first_ < capacity_, "the quarantine was not emptied after the last block");
  ring_[end_++ & (capacity_ - 1)] = Block{start, bytes};
  held_ += charge(bytes);
}

Quarantine::Block Quarantine::leave() {
  const Block oldest = ring_[first_++ & (capacity_ - 1)];
  held_ -= charge(oldest.bytes);
  return oldest;
}

}  // namespace ravel

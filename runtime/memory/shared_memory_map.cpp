// SPDX-License-Identifier: Apache-2.0
#include "runtime/memory/shared_memory_map.h"

#include <algorithm>

#include "base/check.h"
#include "runtime/memory/raw_pages.h"

namespace ravel {

void SharedMemoryMap::prepare() {
  if (directory_ != nullptr) return;
  directory_ = static_cast<std::uint32_t*>(reserve_pages(kRegions * sizeof(std::uint32_t)));
  // Under an address-space limit fewer leaves do; memory beyond them is simply not tracked.
  leaf_capacity_ = kMostLeaves;
  while (leaves_ == nullptr && leaf_capacity_ >= kFewestLeaves) {
    leaves_ = static_cast<Cell*>(reserve_pages(leaf_capacity_ * kCellsPerLeaf * sizeof(Cell)));
    if (leaves_ == nullptr) leaf_capacity_ /= 2;
  }
  RAVEL_CHECK(directory_ != nullptr && leaves_ != nullptr, "no address space left for the map of shared memory");
}

bool SharedMemoryMap::note(std::uint64_t address, std::uint64_t size, bool is_write, std::uint64_t pc, TaskId task) {
  if (busy_) [[unlikely]]
    return false;
  busy_ = true;
  const Stamp now(task, order_.tasks());
  CodeLocations::State& location = locations_.at(pc);
  std::uint64_t granule = address >> kGranuleBits;
  const std::uint64_t last = (address + size - 1) >> kGranuleBits;
  Cell* leaf = leaf_of(address, true);
  while (true) {
    if (leaf != nullptr) [[likely]]
      touch(leaf[granule % kCellsPerLeaf], now, is_write, location);
    if (granule == last) [[likely]]
      break;
    ++granule;
    if (granule % kCellsPerLeaf == 0) leaf = leaf_of(granule << kGranuleBits, true);
  }
  busy_ = false;
  return location.shared != 0;
}

void SharedMemoryMap::forget(std::uint64_t address, std::uint64_t size) {
  if (directory_ == nullptr || size == 0) return;
  // Granules only partly inside are kept: a neighbour may live there.
  std::uint64_t granule = (address + 7) >> kGranuleBits;
  const std::uint64_t end = (address + size) >> kGranuleBits;
  while (granule < end) {
    const std::uint64_t leaf_end = std::min(end, (granule / kCellsPerLeaf + 1) * kCellsPerLeaf);
    if (Cell* leaf = leaf_of(granule << kGranuleBits, false)) {
      for (std::uint64_t g = granule; g < leaf_end; ++g) {
        // Writing zeroes over zeroes would still cost the page.
        Cell& cell = leaf[g % kCellsPerLeaf];
        if (cell.write || cell.read || cell.shared != 0) cell = Cell{};
      }
    }
    granule = leaf_end;
  }
}

SharedMemoryMap::Cell* SharedMemoryMap::leaf_of(std::uint64_t address, bool make) {
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

inline bool SharedMemoryMap::touch(Cell& cell, Stamp now, bool is_write, CodeLocations::State& location) {
  // The same task did the same in the same epoch: whoever came between made the cell shared.
  if (cell.shared == 0 && (is_write ? cell.write : cell.read) == now) [[likely]] {
    remember(cell, location);
    return false;
  }
  return touch_slowly(cell, now, is_write, location);
}

bool SharedMemoryMap::touch_slowly(Cell& cell, Stamp now, bool is_write, CodeLocations::State& location) {
  const std::uint32_t settled = order_.settled_epoch();
  if (cell.write.epoch() <= settled && cell.read.epoch() <= settled) cell = Cell{};
  if (cell.shared == 0) {
    const TaskId task = now.task();
    const bool read_before = !cell.read || order_.before(cell.read, task);
    bool conflict = cell.write && !order_.before(cell.write, task);
    if (is_write && (!read_before || cell.several_readers != 0)) conflict = true;
    if (!read_before) cell.several_readers = 1;
    if (conflict) become_shared(cell);
  }
  (is_write ? cell.write : cell.read) = now;
  remember(cell, location);
  return cell.shared != 0;
}

inline void SharedMemoryMap::remember(Cell& cell, CodeLocations::State& location) {
  if (location.shared != 0) return;  // known already: no need to find it again
  if (cell.shared == 0) {
    const std::uint32_t set = sets_.add(cell.locations, location.index);
    if (set != LocationSets::kFull) [[likely]] {
      cell.locations = set;
      return;
    }
  }
  // Shared, or no room to remember: it is a point from now on.
  locations_.mark_shared(location.index);
}

void SharedMemoryMap::become_shared(Cell& cell) {
  cell.shared = 1;
  sets_.for_each(cell.locations, [this](std::uint32_t location) { locations_.mark_shared(location); });
  cell.locations = 0;
}

}  // namespace ravel

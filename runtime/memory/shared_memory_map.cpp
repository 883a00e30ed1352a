// SPDX-License-Identifier: Apache-2.0
#include "runtime/memory/shared_memory_map.h"

namespace ravel {

bool SharedMemoryMap::note(std::uint64_t address, std::uint64_t size, bool is_write, std::uint64_t pc, TaskId task) {
  CodeLocations::State& location = locations_.at(pc);
  const std::uint64_t end = ((address + size - 1) >> ShadowMemory::kGranuleBits) + 1;
  shadow_.for_each(address >> ShadowMemory::kGranuleBits, end, true,
                   [&](ShadowCell& cell, std::uint64_t) { note(cell, stamp(task), is_write, location); });
  return location.shared != 0;
}

void SharedMemoryMap::forget(std::uint64_t address, std::uint64_t size, RaceDetector* races) {
  if (!shadow_.prepared() || size == 0) return;
  // Granules only partly inside are kept: a neighbour may live there.
  const std::uint64_t first = (address + 7) >> ShadowMemory::kGranuleBits;
  const std::uint64_t end = (address + size) >> ShadowMemory::kGranuleBits;
  shadow_.for_each(first, end, false, [races](ShadowCell& cell, std::uint64_t) {
    // Writing zeroes over zeroes would still cost the page.
    if (cell.more != 0 && races != nullptr) races->clear(cell);
    if (cell.write || cell.read || cell.shared != 0 || cell.freed != 0 || cell.last_write != 0 || cell.last_read != 0) {
      cell = ShadowCell{};
    }
  });
}

void SharedMemoryMap::touch(ShadowCell& cell, Stamp now, bool is_write, CodeLocations::State& location) {
  const std::uint32_t settled = order_.settled_epoch();
  if (cell.write.epoch() <= settled && cell.read.epoch() <= settled) {
    cell.write = Stamp{};
    cell.read = Stamp{};
    cell.locations = 0;
    cell.shared = 0;
    cell.several_readers = 0;
  }
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
}

void SharedMemoryMap::become_shared(ShadowCell& cell) {
  cell.shared = 1;
  sets_.for_each(cell.locations, [this](std::uint32_t location) { locations_.mark_shared(location); });
  cell.locations = 0;
}

}  // namespace ravel

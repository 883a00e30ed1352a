// SPDX-License-Identifier: Apache-2.0
#include "runtime/memory/contended_memory.h"

namespace ravel {

bool ContendedMemory::note(std::uint64_t address, std::uint64_t size, std::uint64_t pc) {
  CodeLocations::State& location = locations_.at(pc);
  const std::uint64_t end = ((address + size - 1) >> ShadowMemory::kGranuleBits) + 1;
  shadow_.for_range(
      address >> ShadowMemory::kGranuleBits, end, false, [](ShadowCell& page) { return page.contended == 0; },
      [&](ShadowCell& cell, std::uint64_t) { note(cell, location); });
  return location.shared != 0;
}

void ContendedMemory::forget(std::uint64_t address, std::uint64_t size, RaceDetector* races) {
  if (!shadow_.prepared() || size == 0) return;
  // Granules only partly inside are kept: a neighbour may live there.
  const std::uint64_t first = (address + 7) >> ShadowMemory::kGranuleBits;
  const std::uint64_t end = (address + size) >> ShadowMemory::kGranuleBits;
  const auto clear_page = [](ShadowCell& page) {
    page = ShadowCell{};
    return true;
  };
  shadow_.for_range(first, end, false, clear_page, [races](ShadowCell& cell, std::uint64_t) {
    // Writing zeroes over zeroes would still cost the page.
    if (cell.more != 0 && races != nullptr) races->clear(cell);
    if (!cell.is_untouched()) cell = ShadowCell{};
  });
}

}  // namespace ravel

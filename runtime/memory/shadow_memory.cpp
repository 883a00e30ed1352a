// SPDX-License-Identifier: Apache-2.0
#include "runtime/memory/shadow_memory.h"

#include "base/check.h"
#include "runtime/memory/raw_pages.h"

namespace ravel {

void ShadowMemory::prepare() {
  if (prepared()) return;
  directory_ = static_cast<std::uint32_t*>(reserve_pages(kRegions * sizeof(std::uint32_t)));
  // Under an address-space limit fewer leaves do; memory beyond them is simply not tracked.
  leaf_capacity_ = kMostLeaves;
  while (leaves_ == nullptr && leaf_capacity_ >= kFewestLeaves) {
    leaves_ = static_cast<ShadowCell*>(reserve_pages(leaf_capacity_ * kCellsPerLeaf * sizeof(ShadowCell)));
    if (leaves_ == nullptr) leaf_capacity_ /= 2;
  }
  RAVEL_CHECK(directory_ != nullptr && leaves_ != nullptr, "no address space left for the map of shared memory");
}

}  // namespace ravel

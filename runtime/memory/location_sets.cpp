// SPDX-License-Identifier: Apache-2.0
#include "runtime/memory/location_sets.h"

namespace ravel {

std::uint32_t LocationSets::add_slowly(std::uint32_t set, std::uint32_t location) {
  if (nodes_ == nullptr) {
    nodes_ = static_cast<Node*>(reserve_pages(std::size_t{kMaxSets} * sizeof(Node)));
    RAVEL_CHECK(nodes_ != nullptr, "no address space left for the runtime's tables");
  }
  std::uint32_t result = set;
  std::uint32_t rest = set;
  while (rest != 0 && nodes_[rest].location != location) rest = nodes_[rest].rest;
  if (rest == 0) {
    std::uint32_t& made = made_.find_or_add((std::uint64_t{set} << 32) | location).value;
    if (made == 0) {
      if (count_ + 1 >= kMaxSets) return kFull;
      nodes_[++count_] = Node{location, set};
      made = count_;
    }
    result = made;
  }
  cache_[cache_index(set, location)] = CacheEntry{set, location, result};
  return result;
}

}  // namespace ravel

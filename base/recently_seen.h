// SPDX-License-Identifier: Apache-2.0
// RecentlySeen: answers "was this key here a moment ago?" without a hash table. Traces repeat the same few places and
// pairs all the time; in front of a set that only grows, this saves nearly all of its lookups. It may forget, and never
// claims to have seen what it has not. Not thread-safe.
#pragma once

#include <array>
#include <cstdint>

namespace ravel {

class RecentlySeen {
 public:
  // True if the key was seen. From now on it was.
  bool again(std::uint64_t key) {
    std::uint64_t& known = keys_[(key ^ (key >> 8)) % keys_.size()];
    if (known == key + 1) return true;
    known = key + 1;
    return false;
  }

 private:
  std::array<std::uint64_t, 256> keys_ = {};  // + 1, so that zero is none
};

}  // namespace ravel

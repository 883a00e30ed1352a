// SPDX-License-Identifier: Apache-2.0
// BitSet: a set of small numbers in a fixed range. A value type.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ravel {

class BitSet {
 public:
  BitSet() = default;
  explicit BitSet(std::size_t size, bool full = false) : words_((size + 63) / 64, full ? ~std::uint64_t{0} : 0) {}

  bool has(std::size_t i) const { return ((words_[i / 64] >> (i % 64)) & 1) != 0; }
  void add(std::size_t i) { words_[i / 64] |= std::uint64_t{1} << (i % 64); }
  void remove(std::size_t i) { words_[i / 64] &= ~(std::uint64_t{1} << (i % 64)); }

  // True if this changed the set.
  bool add_all(const BitSet& other) {
    bool changed = false;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      const std::uint64_t merged = words_[i] | other.words_[i];
      changed = changed || merged != words_[i];
      words_[i] = merged;
    }
    return changed;
  }
  void remove_all(const BitSet& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= ~other.words_[i];
  }
  void keep_only(const BitSet& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= other.words_[i];
  }

  friend bool operator==(const BitSet&, const BitSet&) = default;

 private:
  std::vector<std::uint64_t> words_;
};

}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
// A binary relation over at most 32 events, as rows of bits. Used by the oracle (model.cpp).
// Thread safety: a value.
#pragma once

#include <array>
#include <cstdint>

namespace ravel::litmus {

class Relation {
 public:
  static constexpr int max_events = 32;

  void add(int from, int to) { rows_[from] |= 1U << to; }
  bool has(int from, int to) const { return (rows_[from] >> to & 1U) != 0; }

  Relation& operator|=(const Relation& other) {
    for (int i = 0; i < max_events; ++i) rows_[i] |= other.rows_[i];
    return *this;
  }
  friend Relation operator|(Relation a, const Relation& b) { return a |= b; }

  // a, then b.
  friend Relation operator*(const Relation& a, const Relation& b) {
    Relation result;
    for (int i = 0; i < max_events; ++i) {
      for (int j = 0; j < max_events; ++j) {
        if (a.has(i, j)) result.rows_[i] |= b.rows_[j];
      }
    }
    return result;
  }

  // Transitive, not reflexive.
  Relation closure() const {
    Relation result = *this;
    for (int via = 0; via < max_events; ++via) {
      for (int i = 0; i < max_events; ++i) {
        if (result.has(i, via)) result.rows_[i] |= result.rows_[via];
      }
    }
    return result;
  }

  bool acyclic() const {
    const Relation all = closure();
    for (int i = 0; i < max_events; ++i) {
      if (all.has(i, i)) return false;
    }
    return true;
  }

 private:
  std::array<std::uint32_t, max_events> rows_{};
};

}  // namespace ravel::litmus

// SPDX-License-Identifier: Apache-2.0
// Random: a small seeded generator (splitmix64). The same seed gives the same numbers on every machine and compiler,
// which the standard distributions do not promise. No allocation, no global state.
#pragma once

#include <cstdint>

namespace ravel {

class Random {
 public:
  constexpr Random() = default;
  constexpr explicit Random(std::uint64_t seed) : state_(seed) {}

  constexpr std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15ULL;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }

  // Uniform in [0, bound); bound > 0. The bias of the multiply-shift is below 2^-32 for the bounds used here.
  constexpr std::uint32_t below(std::uint32_t bound) {
    return static_cast<std::uint32_t>((static_cast<Wide>(next()) * bound) >> 64);
  }

  // True with probability 1/2^k.
  constexpr bool one_in_power_of_two(unsigned k) { return k == 0 || (next() >> (64 - k)) == 0; }

  // Uniform in [0, 1).
  constexpr double unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

 private:
  __extension__ using Wide = unsigned __int128;

  std::uint64_t state_ = 0;
};

// Mixes a value into a running hash; used for operation hashes, so it must never change within a format version.
constexpr std::uint64_t hash_mix(std::uint64_t hash, std::uint64_t value) {
  hash ^= value + 0x9e3779b97f4a7c15ULL + (hash << 6) + (hash >> 2);
  hash *= 0xff51afd7ed558ccdULL;
  return hash ^ (hash >> 32);
}

}  // namespace ravel

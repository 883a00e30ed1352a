// SPDX-License-Identifier: Apache-2.0
// NoisePlan: how one really parallel run of the program is to be disturbed. Made by the driver, read by the target; the
// decisions follow from the seed and from what each thread does, not from the clock. Plain data.
#pragma once

#include <cstdint>

namespace ravel {

enum class NoiseKind : std::uint8_t {
#define RAVEL_NOISE(enumerator, name, sentence) enumerator,
#include "model/noise.def"
#undef RAVEL_NOISE
};

inline constexpr unsigned kNoiseKinds = 0
#define RAVEL_NOISE(enumerator, name, sentence) +1
#include "model/noise.def"
#undef RAVEL_NOISE
    ;

inline constexpr const char* kNoiseNames[] = {
#define RAVEL_NOISE(enumerator, name, sentence) name,
#include "model/noise.def"
#undef RAVEL_NOISE
};
constexpr const char* noise_name(NoiseKind kind) { return kNoiseNames[static_cast<unsigned>(kind)]; }

struct NoisePlan {
  std::uint64_t seed = 1;
  std::uint32_t probability[kNoiseKinds] = {};  // of each kind at one concurrent event, in millionths
  std::uint32_t longest_us = 2000;              // of a sleep, in microseconds; a halt may take ten times as long
  std::uint8_t record = 0;                      // 1: keep the order of concurrent events
  std::uint8_t coverage = 0;                    // 1: tell which code was interrupted by which
  std::uint8_t after_locks = 0;                 // 1: weigh the moment after a lock is taken, by site_weight too
  std::uint8_t reserved = 0;
  std::uint32_t reserved1 = 0;

  constexpr bool is_quiet() const {
    for (const std::uint32_t one : probability) {
      if (one != 0) return false;
    }
    return true;
  }

  friend constexpr bool operator==(const NoisePlan&, const NoisePlan&) = default;
};

}  // namespace ravel

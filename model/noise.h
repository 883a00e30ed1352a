// SPDX-License-Identifier: Apache-2.0
// NoisePlan: how to disturb one parallel run of the program. Made by the driver, read by the target; the decisions
// follow from the seed and from what each thread does, not from the clock. Plain data.
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

// Where a thread is when it may be disturbed. Bugs show up when a thread is delayed between two reads of the same thing
// (what it saw is then out of date), before it writes what others wait for, before it takes a second lock, and before
// it passes a new thread what that one needs.
enum class NoisePlace : std::uint8_t {
  usual,        // any other concurrent event
  created,      // it has just created a thread
  first_read,   // it reads shared memory
  first_write,  // it writes shared memory
  read_again,   // likewise, where it was a moment ago
  write_again,
  wants_lock,
  wants_second_lock,  // while it holds one
  has_lock,           // it has just taken one
};
inline constexpr unsigned kNoisePlaces = 9;
inline constexpr std::uint8_t kUsualWeight = 8;
inline constexpr std::uint8_t kUsualRarity = 8;
inline constexpr std::uint8_t kTargetWeight = 255;  // Channel::site_weight of code that is targeted

struct NoisePlan {
  std::uint64_t seed = 1;
  std::uint32_t probability[kNoiseKinds] = {};  // of each kind at one concurrent event, in millionths
  // The weight of an event at each place; the probability above is for an event of kUsualWeight.
  std::uint8_t weight[kNoisePlaces] = {8, 16, 4, 32, 8, 64, 8, 32, 8};
  std::uint32_t longest_us = 2000;  // of a sleep, in microseconds; a halt may take ten times as long
  std::uint8_t record = 0;          // 1: record the order of concurrent events
  std::uint8_t coverage = 0;        // 1: report which code was interrupted by which
  std::uint8_t by_rarity = 0;       // 1: code that a thread reaches rarely counts more, and hot code less
  std::uint8_t targets_only = 0;    // 1: only code of kTargetWeight is disturbed
  std::uint32_t reserved = 0;

  constexpr bool is_quiet() const {
    for (const std::uint32_t one : probability) {
      if (one != 0) return false;
    }
    return true;
  }

  friend constexpr bool operator==(const NoisePlan&, const NoisePlan&) = default;
};

}  // namespace ravel

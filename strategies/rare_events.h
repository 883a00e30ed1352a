// SPDX-License-Identifier: Apache-2.0
// RareEvents: something that happens once in 2^power times, drawn from its own generator so that it does not shift
// other choices. Held by EnvironmentChoices and StoreChoices, inside the target: no allocation, one task at a time
// calls.
#pragma once

#include <cstdint>

#include "base/random.h"
#include "model/plan.h"

namespace ravel {

class RareEvents {
 public:
  constexpr RareEvents() = default;

  void begin(std::uint64_t seed, std::uint8_t power) {
    power_ = power;
    random_ = Random(seed);
  }

  bool strikes() { return power_ < kNeverPower && random_.one_in_power_of_two(power_); }
  std::uint32_t below(std::uint32_t bound) { return random_.below(bound); }

 private:
  static constexpr std::uint8_t kNeverPower = 64;  // 1/2^64 is beyond the generator; kQuietEnvironment lies above
  std::uint8_t power_ = kQuietEnvironment;
  Random random_;
};

}  // namespace ravel

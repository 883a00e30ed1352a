// SPDX-License-Identifier: Apache-2.0
// NoiseArms: learns which noise makes the program fail. Noise differs in where it strikes, of which kind it is, and how
// dense; for each of the three a bandit (Thompson, Biometrika 1933) draws among the choices by what they have led to.
// Until something fails, all choices are drawn alike.
//
// Who calls it: NoisePlanner. Deterministic: the same draws and the same outcomes give the same choices.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/random.h"
#include "model/noise.h"

namespace ravel {

enum class NoiseFocus : std::uint8_t { everywhere, creations, writes, returns, locks };
inline constexpr unsigned kNoiseFocuses = 5;

enum class NoiseDensity : std::uint8_t { few, some, many, every };
inline constexpr unsigned kNoiseDensities = 4;

// What one run gets.
struct NoiseArm {
  NoiseFocus focus = NoiseFocus::everywhere;
  NoiseDensity density = NoiseDensity::some;
  unsigned kind = 0;  // NoiseKind, or kNoiseKinds: a mixture

  friend bool operator==(const NoiseArm&, const NoiseArm&) = default;
};

// NoisePlan::weight of a focus.
std::array<std::uint8_t, kNoisePlaces> weights_of(NoiseFocus focus);

// One choice among several by how often each was followed by a failure.
class Bandit {
 public:
  explicit Bandit(unsigned choices) : outcomes_(choices) {}

  unsigned draw(Random& random) const;
  void learn(unsigned choice, bool failed);

 private:
  struct Outcomes {
    std::uint64_t failed = 0;
    std::uint64_t passed = 0;
  };
  std::vector<Outcomes> outcomes_;
};

class NoiseArms {
 public:
  // Of these kinds; a mixture of them is one choice more when there are several.
  explicit NoiseArms(std::vector<NoiseKind> kinds);

  NoiseArm draw(Random& random) const;
  void learn(const NoiseArm& arm, bool failed);

 private:
  std::vector<unsigned> kinds_;
  Bandit focus_{kNoiseFocuses};
  Bandit density_{kNoiseDensities};
  Bandit kind_;
};

}  // namespace ravel

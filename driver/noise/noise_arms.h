// SPDX-License-Identifier: Apache-2.0
// NoiseArms: learns which noise makes the program fail. Noise differs in where it strikes, of which kind it is, how
// dense and how long; for each of these a bandit (Thompson, Biometrika 1933) draws among the choices by what they have
// led to. Combinations that have led to a failure compete with the ones drawn that way. Until something fails, all
// choices are drawn alike.
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
  unsigned kind = 0;   // NoiseKind, or kNoiseKinds: a mixture
  bool brief = false;  // shorter than allowed

  friend bool operator==(const NoiseArm&, const NoiseArm&) = default;
};

// NoisePlan::weight of a focus.
std::array<std::uint8_t, kNoisePlaces> weights_of(NoiseFocus focus);

// One choice among several by how often each was followed by a failure.
struct Outcomes {
  std::uint64_t failed = 0;
  std::uint64_t passed = 0;

  // A rate of failures that goes with what was seen, drawn at random.
  double draw_rate(Random& random) const;
};

class Bandit {
 public:
  explicit Bandit(unsigned choices) : outcomes_(choices) {}

  unsigned draw(Random& random) const;
  void learn(unsigned choice, bool failed);

 private:
  std::vector<Outcomes> outcomes_;
};

class NoiseArms {
 public:
  // Of these kinds; a mixture of them is one choice more when there are several.
  explicit NoiseArms(const std::vector<NoiseKind>& kinds);

  NoiseArm draw(Random& random) const;
  void learn(const NoiseArm& arm, bool failed);

 private:
  struct Proven {
    NoiseArm arm;
    Outcomes outcomes;
  };

  std::vector<unsigned> kinds_;
  std::vector<Proven> proven_;  // have led to a failure
  Outcomes others_;             // of arms that had not
  Bandit focus_{kNoiseFocuses};
  Bandit density_{kNoiseDensities};
  Bandit brief_{2};
  Bandit kind_;
};

}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
// NoiseArms: learns which noise makes the program fail. Noise differs in where it strikes, in its kind, density and
// length; for each of these a bandit (Thompson, Biometrika 1933) draws among the choices by what they have led to.
// Noise that has led to a failure is repeated, with the same seed, as long as it does better than fresh draws. Until
// something fails, all choices are equally likely; and some runs are always drawn afresh, because there may be other
// failures.
//
// Who calls it: NoisePlanner. Deterministic: the same draws and the same outcomes give the same choices.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/random.h"
#include "model/noise.h"

namespace ravel {

enum class NoiseFocus : std::uint8_t { everywhere, creations, writes, returns, locks, revisits };
inline constexpr unsigned kNoiseFocuses = 6;

enum class NoiseDensity : std::uint8_t { few, some, many, every };
inline constexpr unsigned kNoiseDensities = 4;

// What one run gets.
struct NoiseArm {
  NoiseFocus focus = NoiseFocus::everywhere;
  NoiseDensity density = NoiseDensity::some;
  unsigned kind = 0;   // NoiseKind, or kNoiseKinds: a mixture
  bool brief = false;  // shorter than allowed
  std::uint64_t seed = 0;
  double probability = 0;              // of noise at a usual event; 0: not drawn yet
  std::vector<std::uint64_t> targets;  // the only code that is disturbed; empty: any

  friend bool operator==(const NoiseArm&, const NoiseArm&) = default;
};

// NoisePlan::weight of a focus.
std::array<std::uint8_t, kNoisePlaces> weights_of(NoiseFocus focus);

// One choice among several, by how often each was followed by a failure.
struct Outcomes {
  std::uint64_t failed = 0;
  std::uint64_t passed = 0;

  double rate() const { return (1.0 + static_cast<double>(failed)) / (2.0 + static_cast<double>(failed + passed)); }
  // A failure rate consistent with what was seen, drawn at random.
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
  // Of these kinds; if there are several, a mixture of them is one more choice.
  explicit NoiseArms(const std::vector<NoiseKind>& kinds);

  NoiseArm draw(Random& random) const;
  void learn(const NoiseArm& arm, bool failed);

 private:
  static constexpr std::size_t kMostProven = 6;
  // The share of runs that are drawn afresh.
  static constexpr double kLeastShare = 0.04;
  static constexpr double kEarlyShare = 0.5;
  static constexpr double kUnsureShare = 0.8;
  static constexpr double kSettled = 16;  // runs after the first failure
  static constexpr std::uint64_t kTried = 3;

  struct Proven {
    NoiseArm arm;
    Outcomes outcomes;
  };

  double fresh_share() const;
  std::vector<Proven>::const_iterator best() const;
  void keep(const NoiseArm& arm);

  std::vector<unsigned> kinds_;
  std::vector<Proven> proven_;       // have led to a failure
  Outcomes fresh_;                   // of arms that were drawn afresh
  std::uint32_t since_failure_ = 0;  // runs since the first one
  Bandit focus_{kNoiseFocuses};
  Bandit density_{kNoiseDensities};
  Bandit brief_{2};
  Bandit kind_;
};

}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
#include "driver/noise/noise_arms.h"

#include <algorithm>
#include <cmath>

namespace ravel {
namespace {

constexpr double kPi = 3.141592653589793;

double draw_normal(Random& random) {
  const double radius = std::sqrt(-2 * std::log(1 - random.unit()));
  return radius * std::cos(2 * kPi * random.unit());
}

// Marsaglia and Tsang, "A simple method for generating gamma variables" (2000), for shapes from 1 on.
double draw_gamma(Random& random, double shape) {
  const double d = shape - 1.0 / 3;
  const double c = 1 / std::sqrt(9 * d);
  for (;;) {
    const double x = draw_normal(random);
    const double v = std::pow(1 + c * x, 3);
    if (v <= 0) continue;
    if (std::log(1 - random.unit()) < 0.5 * x * x + d - d * v + d * std::log(v)) return d * v;
  }
}

double draw_beta(Random& random, double a, double b) {
  const double x = draw_gamma(random, a);
  return x / (x + draw_gamma(random, b));
}

std::vector<unsigned> choices_of(const std::vector<NoiseKind>& kinds) {
  std::vector<unsigned> choices;
  choices.reserve(kinds.size() + 1);
  for (const NoiseKind kind : kinds) choices.push_back(static_cast<unsigned>(kind));
  if (kinds.size() > 1) choices.push_back(kNoiseKinds);
  return choices;
}

}  // namespace

std::array<std::uint8_t, kNoisePlaces> weights_of(NoiseFocus focus) {
  // usual, created, first read, first write, read again, write again, wants lock, wants second lock, has lock
  switch (focus) {
    case NoiseFocus::everywhere:
      return {8, 16, 4, 32, 8, 64, 8, 32, 8};
    case NoiseFocus::creations:
      return {1, 80, 0, 0, 0, 0, 0, 0, 0};
    case NoiseFocus::writes:
      return {1, 0, 0, 80, 0, 80, 0, 0, 0};
    case NoiseFocus::returns:
      return {1, 0, 0, 0, 40, 80, 0, 0, 0};
    case NoiseFocus::locks:
      return {1, 0, 0, 0, 0, 0, 8, 80, 32};
    case NoiseFocus::revisits:
      return {8, 8, 8, 8, 8, 8, 8, 8, 8};
  }
  return {};
}

double Outcomes::draw_rate(Random& random) const {
  return draw_beta(random, 1.0 + static_cast<double>(failed), 1.0 + static_cast<double>(passed));
}

unsigned Bandit::draw(Random& random) const {
  unsigned best = 0;
  double highest = -1;
  for (unsigned i = 0; i < outcomes_.size(); ++i) {
    const double rate = outcomes_[i].draw_rate(random);
    if (rate <= highest) continue;
    highest = rate;
    best = i;
  }
  return best;
}

void Bandit::learn(unsigned choice, bool failed) {
  Outcomes& outcomes = outcomes_[choice];
  // Until something has failed there is nothing to distinguish the choices by.
  if (failed) {
    ++outcomes.failed;
  } else if (std::any_of(outcomes_.begin(), outcomes_.end(), [](const Outcomes& one) { return one.failed > 0; })) {
    ++outcomes.passed;
  }
}

NoiseArms::NoiseArms(const std::vector<NoiseKind>& kinds)
    : kinds_(choices_of(kinds)), kind_(static_cast<unsigned>(kinds_.size())) {}

NoiseArm NoiseArms::draw(Random& random) const {
  NoiseArm arm;
  arm.focus = static_cast<NoiseFocus>(focus_.draw(random));
  arm.density = static_cast<NoiseDensity>(density_.draw(random));
  arm.brief = brief_.draw(random) != 0;
  arm.kind = kinds_.empty() ? kNoiseKinds : kinds_[kind_.draw(random)];
  arm.seed = random.next();
  if (proven_.empty()) return arm;
  if (random.unit() < fresh_share()) {
    if (random.below(2) == 0) return arm;
    NoiseArm similar = best()->arm;
    similar.seed = arm.seed;
    similar.probability = 0;
    return similar;
  }
  double highest = fresh_.draw_rate(random);
  for (const Proven& proven : proven_) {
    const double rate = proven.outcomes.draw_rate(random);
    if (rate <= highest) continue;
    highest = rate;
    arm = proven.arm;
  }
  return arm;
}

std::vector<NoiseArms::Proven>::const_iterator NoiseArms::best() const {
  return std::max_element(proven_.begin(), proven_.end(),
                          [](const Proven& a, const Proven& b) { return a.outcomes.rate() < b.outcomes.rate(); });
}

// Often at first, when little is known, and as long as nothing fails reliably.
double NoiseArms::fresh_share() const {
  const double early = kEarlyShare * kSettled / (kSettled + static_cast<double>(since_failure_));
  return std::max({kLeastShare, early, (1 - best()->outcomes.rate()) * kUnsureShare});
}

void NoiseArms::learn(const NoiseArm& arm, bool failed) {
  const auto proven = std::find_if(proven_.begin(), proven_.end(), [&](const Proven& one) { return one.arm == arm; });
  Outcomes& outcomes = proven == proven_.end() ? fresh_ : proven->outcomes;
  ++(failed ? outcomes.failed : outcomes.passed);
  if (!proven_.empty()) ++since_failure_;
  if (failed && proven == proven_.end()) keep(arm);
  brief_.learn(arm.brief ? 1 : 0, failed);
  focus_.learn(static_cast<unsigned>(arm.focus), failed);
  density_.learn(static_cast<unsigned>(arm.density), failed);
  const auto at = std::find(kinds_.begin(), kinds_.end(), arm.kind);
  if (at != kinds_.end()) kind_.learn(static_cast<unsigned>(at - kinds_.begin()), failed);
}

// A new one replaces the worst of those that were tried a few times; the best stays.
void NoiseArms::keep(const NoiseArm& arm) {
  const Proven fresh{arm, {1, 0}};
  if (proven_.size() < kMostProven) {
    proven_.push_back(fresh);
    return;
  }
  const auto worst = std::min_element(proven_.begin(), proven_.end(), [](const Proven& a, const Proven& b) {
    return a.outcomes.rate() < b.outcomes.rate();
  });
  if (worst != best() && worst->outcomes.failed + worst->outcomes.passed >= kTried) *worst = fresh;
}

}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
#include "driver/noise/noise_planner.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace ravel {
namespace {

constexpr double kMillion = 1e6;
constexpr std::uint64_t kFirstHunts = 4;
constexpr std::uint64_t kHuntsEvery = 4;
constexpr std::uint64_t kFirstLooks = 8;
constexpr std::uint64_t kLooksEvery = 8;
constexpr std::uint32_t kMostTargets = 2;
constexpr double kThinnestAim = 0.1;  // of the densest noise

// Shares in a mixture. The paper found sleep to be worth more than all others.
constexpr double share_of(NoiseKind kind) {
  switch (kind) {
    case NoiseKind::sleep:
      return 6;
    case NoiseKind::yield:
    case NoiseKind::barrier_spin:
      return 2;
    case NoiseKind::priority:
    case NoiseKind::halt:
      return 0.5;
  }
  return 0;
}

// The number of disturbances in a run is drawn from this range, uniformly in the logarithm.
struct Range {
  double fewest;
  double most;
};
constexpr Range range_of(NoiseDensity density) {
  switch (density) {
    case NoiseDensity::few:
      return {1, 5};
    case NoiseDensity::some:
      return {5, 40};
    case NoiseDensity::many:
      return {40, 300};
    case NoiseDensity::every:
      return {300, 1000};
  }
  return {1, 1};
}

std::vector<NoiseKind> adapted_kinds(const NoiseRequest& request) {
  std::vector<NoiseKind> kinds;
  for (unsigned i = 0; i < kNoiseKinds; ++i) {
    if (request.wanted[i] && !request.probability[i]) kinds.push_back(static_cast<NoiseKind>(i));
  }
  return kinds;
}

std::string names_of_kinds() {
  std::string text;
  for (unsigned i = 0; i < kNoiseKinds; ++i) text += fmt::format("{}{}", i == 0 ? "" : ", ", kNoiseNames[i]);
  return text;
}

std::uint32_t millionths(double probability) {
  return static_cast<std::uint32_t>(std::lround(std::clamp(probability, 0.0, 1.0) * kMillion));
}

}  // namespace

Result<NoiseRequest> parse_noise(std::string_view list) {
  NoiseRequest request;
  double total = 0;
  while (true) {
    const std::size_t comma = list.find(',');
    const std::string_view entry = list.substr(0, comma);
    const std::size_t colon = entry.find(':');
    const std::string_view name = entry.substr(0, colon);
    unsigned kind = 0;
    while (kind < kNoiseKinds && name != kNoiseNames[kind]) ++kind;
    if (kind == kNoiseKinds) {
      return Status::trouble(fmt::format("--noise: '{}' is not a kind of noise", name),
                             fmt::format("the kinds are {}; example: --noise sleep,yield:0.02", names_of_kinds()));
    }
    if (request.wanted[kind]) {
      return Status::trouble(fmt::format("--noise: {} is named twice", name), "name each kind once");
    }
    request.wanted[kind] = true;
    if (colon != std::string_view::npos) {
      const std::string_view number = entry.substr(colon + 1);
      double value = 0;
      const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
      if (error != std::errc{} || end != number.data() + number.size() || !(value >= 0) || value > 1) {
        return Status::trouble(fmt::format("--noise: '{}' is not a probability", number),
                               "give a number from 0 to 1, for example sleep:0.02");
      }
      request.probability[kind] = value;
      total += value;
    }
    if (comma == std::string_view::npos) break;
    list.remove_prefix(comma + 1);
  }
  if (total > 1) {
    return Status::trouble("--noise: the probabilities add up to more than 1", "at most one noise is made at an event");
  }
  return request;
}

NoisePlanner::NoisePlanner(const NoiseRequest& request, std::chrono::nanoseconds longest, std::uint64_t seed)
    : request_(request),
      longest_(longest),
      seed_(seed),
      arms_(adapted_kinds(request)),
      all_given_(adapted_kinds(request).empty()) {}

// The surest way to let other threads in is to sleep there.
void NoisePlanner::hold_up_at(NoiseArm& arm, NoiseFocus focus) const {
  arm.focus = focus;
  arm.brief = false;
  arm.probability = 0;
  arm.targets.clear();
  const auto sleep = static_cast<unsigned>(NoiseKind::sleep);
  if (request_.wanted[sleep] && !request_.probability[sleep]) arm.kind = sleep;
}

PlannedNoise NoisePlanner::plan(std::uint64_t run) const {
  Random draws(hash_mix(seed_, run));
  PlannedNoise planned;
  NoisePlan& plan = planned.plan;
  planned.arm = arms_.draw(draws);
  if (hunts_from_ && run >= *hunts_from_ && (run - *hunts_from_ < kFirstHunts || run % kHuntsEvery == 0)) {
    hold_up_at(planned.arm, NoiseFocus::locks);
    planned.arm.density = NoiseDensity::every;
  } else if (!revisits_.empty() && !has_failed_ && run % 4 != 0) {
    hold_up_at(planned.arm, NoiseFocus::revisits);
  }
  // From here on everything follows from the arm, so that it can be repeated.
  Random random(planned.arm.seed);
  plan.seed = random.next();
  const double share = planned.arm.brief ? std::exp2(-static_cast<double>(1 + random.below(4))) : 1.0;
  plan.longest_us =
      static_cast<std::uint32_t>(std::clamp(static_cast<double>(longest_.count()) / 1000 * share, 1.0, 4e9));
  if (all_given_) {
    // A probability that the user gave holds at every event.
    std::fill(std::begin(plan.weight), std::end(plan.weight), kUsualWeight);
  } else {
    plan.by_rarity = 1;
    if (planned.arm.focus == NoiseFocus::revisits && planned.arm.targets.empty()) {
      planned.arm.targets = draw_targets(draws);
    }
    plan.targets_only = planned.arm.targets.empty() ? 0 : 1;
    const auto weights = weights_of(planned.arm.focus);
    std::copy(weights.begin(), weights.end(), plan.weight);
  }

  const Range range = range_of(planned.arm.density);
  const double disturbances = range.fewest * std::exp(random.unit() * std::log(range.most / range.fewest));
  double given = 0;
  double total = 0;
  std::array<double, kNoiseKinds> weight{};
  for (unsigned i = 0; i < kNoiseKinds; ++i) {
    if (request_.probability[i]) given += *request_.probability[i];
    if (!request_.wanted[i] || request_.probability[i]) continue;
    const bool in = planned.arm.kind == kNoiseKinds || planned.arm.kind == i;
    weight[i] = in ? share_of(static_cast<NoiseKind>(i)) : 0;
    total += weight[i];
  }
  // The probability is that of a usual event; it is larger where the focus is and smaller elsewhere.
  double events = 0;
  for (unsigned i = 0; i < kNoisePlaces; ++i) events += expected_[i] * plan.weight[i] / kUsualWeight / kUsualRarity;
  const double usual = planned.arm.targets.empty() ? disturbances / std::max(1.0, events)
                                                   : kDensest * std::exp(random.unit() * std::log(kThinnestAim));
  if (planned.arm.probability == 0) planned.arm.probability = std::min({kDensest, usual, 1 - given});
  for (unsigned i = 0; i < kNoiseKinds; ++i) {
    if (request_.probability[i]) {
      plan.probability[i] = millionths(*request_.probability[i]);
    } else if (weight[i] > 0) {
      // Very long runs: less than one in a million cannot be expressed, and zero is not meant.
      plan.probability[i] = std::max<std::uint32_t>(1, millionths(planned.arm.probability * weight[i] / total));
    }
  }
  return planned;
}

PlannedNoise NoisePlanner::quiet(std::uint64_t run) const {
  PlannedNoise planned;
  planned.plan.seed = hash_mix(seed_, run);
  return planned;
}

void NoisePlanner::hunt_deadlock(std::uint64_t next_run) {
  if (!hunts_from_) hunts_from_ = next_run;
}

void NoisePlanner::hunt_revisits(const std::vector<std::uint64_t>& sites) {
  for (const std::uint64_t site : sites) revisits_.try_emplace(site, 0);
}

bool NoisePlanner::wants_revisits() const {
  return !all_given_ && !has_failed_ && (learned_ < kFirstLooks || learned_ % kLooksEvery == 0);
}

// Only a few: noise at many places hides what noise at one of them shows. The least targeted ones come first.
std::vector<std::uint64_t> NoisePlanner::draw_targets(Random& random) const {
  struct Candidate {
    std::uint32_t aimed;
    std::uint64_t draw;
    std::uint64_t site;
  };
  std::vector<Candidate> candidates;
  for (const auto& [site, aimed] : revisits_) candidates.push_back({aimed, random.next(), site});
  const std::size_t count = std::min<std::size_t>(candidates.size(), 1 + random.below(kMostTargets));
  std::partial_sort(
      candidates.begin(), candidates.begin() + static_cast<std::ptrdiff_t>(count), candidates.end(),
      [](const Candidate& a, const Candidate& b) { return a.aimed != b.aimed ? a.aimed < b.aimed : a.draw < b.draw; });
  std::vector<std::uint64_t> targets;
  for (std::size_t i = 0; i < count; ++i) targets.push_back(candidates[i].site);
  return targets;
}

void NoisePlanner::learn(const PlannedNoise& planned, const NoisePlaces& events, bool failed) {
  constexpr double kShareOfNew = 0.2;
  for (unsigned i = 0; i < kNoisePlaces; ++i) {
    const auto seen = static_cast<double>(events[i]);
    expected_[i] = learned_ > 0 ? expected_[i] + kShareOfNew * (seen - expected_[i]) : seen;
  }
  ++learned_;
  has_failed_ = has_failed_ || failed;
  for (const std::uint64_t target : planned.arm.targets) ++revisits_[target];
  arms_.learn(planned.arm, failed);
}

}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
#include "driver/noise/noise_planner.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>

#include <fmt/format.h>

namespace ravel {
namespace {

constexpr double kMillion = 1e6;

// How often a kind is in the mix, and with which share. The paper found sleep to be worth more than all others.
struct KindShare {
  double chance;
  double weight;
};
constexpr KindShare share_of(NoiseKind kind) {
  switch (kind) {
    case NoiseKind::sleep:
      return {1.0, 6.0};
    case NoiseKind::yield:
      return {0.5, 2.0};
    case NoiseKind::priority:
      return {0.25, 0.5};
    case NoiseKind::barrier_spin:
      return {0.4, 2.0};
    case NoiseKind::halt:
      return {0.4, 0.5};
  }
  return {0, 0};
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
      return Status::trouble(fmt::format("--noise: '{}' is no kind of noise", name),
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

std::uint32_t NoisePlanner::longest_us(double share) const {
  const double us = static_cast<double>(longest_.count()) / 1000 * share;
  return static_cast<std::uint32_t>(std::clamp(us, 1.0, 4e9));
}

NoisePlan NoisePlanner::plan(std::uint64_t run) const {
  Random random(hash_mix(seed_, run));
  NoisePlan plan;
  plan.seed = random.next();
  // Half of the runs with sleeps as long as allowed, the others with shorter ones.
  plan.longest_us = longest_us(random.below(2) == 0 ? 1.0 : std::exp2(-static_cast<double>(1 + random.below(4))));
  plan.after_locks = random.below(3) == 0 ? 1 : 0;

  const double disturbances = kFewest * std::exp(random.unit() * std::log(kMost / kFewest));
  const bool alone = random.below(4) == 0;
  std::array<double, kNoiseKinds> weight{};
  double total = 0;
  double given = 0;
  for (unsigned i = 0; i < kNoiseKinds; ++i) {
    const KindShare share = share_of(static_cast<NoiseKind>(i));
    const bool drawn = random.unit() < share.chance;  // always drawn, so that one kind does not change the others
    if (!request_.wanted[i]) continue;
    if (request_.probability[i]) {
      given += *request_.probability[i];
      continue;
    }
    weight[i] = drawn ? share.weight : 0;
    total += weight[i];
  }
  // One kind alone, or all of those that may be adapted were left out: pick one.
  if (alone || total == 0) {
    double all = 0;
    for (unsigned i = 0; i < kNoiseKinds; ++i) {
      const bool adapted = request_.wanted[i] && !request_.probability[i];
      weight[i] = adapted ? share_of(static_cast<NoiseKind>(i)).weight : 0;
      all += weight[i];
    }
    double at = random.unit() * all;
    total = 0;
    for (double& one : weight) {
      const bool chosen = one > 0 && at < one && total == 0;
      at -= one;
      one = chosen ? 1 : 0;
      total += one;
    }
  }
  const double wanted = std::min(kDensest, disturbances / std::max(1.0, expected_));
  const double room = std::max(0.0, std::min(wanted, 1 - given));
  for (unsigned i = 0; i < kNoiseKinds; ++i) {
    if (request_.probability[i]) {
      plan.probability[i] = millionths(*request_.probability[i]);
    } else if (total > 0) {
      // Very long runs: less than one in a million cannot be said, and nothing at all is not meant.
      plan.probability[i] = weight[i] == 0 ? 0 : std::max<std::uint32_t>(1, millionths(room * weight[i] / total));
    }
  }
  return plan;
}

NoisePlan NoisePlanner::quiet(std::uint64_t run) const {
  NoisePlan plan;
  plan.seed = hash_mix(seed_, run);
  return plan;
}

void NoisePlanner::learn(std::uint64_t events) {
  const auto seen = static_cast<double>(events);
  constexpr double kShareOfNew = 0.2;
  expected_ = learned_ ? expected_ + kShareOfNew * (seen - expected_) : seen;
  learned_ = true;
}

}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
// NoisePlanner: how much noise of which kind each run gets. What the user gave is used as it is; the rest follows from
// how many concurrent events the runs before had: a run shall be disturbed some ten times, whether it has a hundred
// events or a million, and runs shall differ widely.
//
// Who calls it: NoiseCampaign under its lock. Deterministic: the same seed and the same runs give the same plans.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/random.h"
#include "base/status.h"
#include "model/noise.h"

namespace ravel {

// What --noise asks for.
struct NoiseRequest {
  std::array<bool, kNoiseKinds> wanted{};
  std::array<std::optional<double>, kNoiseKinds> probability{};  // nullopt: adapted

  static NoiseRequest all() {
    NoiseRequest request;
    request.wanted.fill(true);
    return request;
  }
};

// "sleep,yield:0.02,halt-one-thread".
Result<NoiseRequest> parse_noise(std::string_view list);

class NoisePlanner {
 public:
  static constexpr double kFewest = 1;         // disturbances wanted in a run ...
  static constexpr double kMost = 300;         // ... are drawn from this range, log-uniformly
  static constexpr double kDensest = 0.7;      // probability at one event, of all kinds together
  static constexpr double kFirstGuess = 1000;  // events of a run, before one has been seen

  NoisePlanner(const NoiseRequest& request, std::chrono::nanoseconds longest, std::uint64_t seed)
      : request_(request), longest_(longest), seed_(seed) {}

  // Of the run with this number. record and coverage are for the caller to set.
  NoisePlan plan(std::uint64_t run) const;

  // The control arm: everything but the noise.
  NoisePlan quiet(std::uint64_t run) const;

  // A run has ended that had so many concurrent events.
  void learn(std::uint64_t events);

  double expected_events() const { return expected_; }

 private:
  std::uint32_t longest_us(double share) const;

  NoiseRequest request_;
  std::chrono::nanoseconds longest_;
  std::uint64_t seed_;
  double expected_ = kFirstGuess;
  bool learned_ = false;
};

}  // namespace ravel

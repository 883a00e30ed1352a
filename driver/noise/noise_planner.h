// SPDX-License-Identifier: Apache-2.0
// NoisePlanner: how much noise of which kind each run gets. What the user specified is used as it is; the rest follows
// from how many concurrent events previous runs had: a run should be disturbed about ten times, whether it has a
// hundred events or a million, and runs should differ widely. Where noise strikes, its kind and its density are the
// choices of NoiseArms, which learns from the runs that failed.
//
// Who calls it: NoiseCampaign under its lock. Deterministic: the same seed and the same runs give the same plans.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "base/status.h"
#include "driver/noise/noise_arms.h"
#include "driver/noise/run_events.h"
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

// What one run gets, and which choices it came from.
struct PlannedNoise {
  NoisePlan plan;
  NoiseArm arm;
};

class NoisePlanner {
 public:
  static constexpr double kDensest = 0.7;      // probability at one event, of all kinds together
  static constexpr double kFirstGuess = 1000;  // events of a run, before any was seen

  NoisePlanner(const NoiseRequest& request, std::chrono::nanoseconds longest, std::uint64_t seed);

  // The plan of the run with this number. The caller sets record and coverage.
  PlannedNoise plan(std::uint64_t run) const;

  // Locks were taken in a cycle, but there was no deadlock yet: the next runs, and then one every few, delay threads
  // where they have one lock and want another.
  void hunt_deadlock(std::uint64_t next_run);
  void stop_hunting() { hunts_from_.reset(); }

  // Code was seen where a thread comes back to what another touches too (Revisits). Until something has failed, every
  // other run disturbs a few of these places and nothing else, taking turns.
  void hunt_revisits(const std::vector<std::uint64_t>& sites);
  // Is it worth looking for such code in the run that has just ended?
  bool wants_revisits() const;

  // The control arm: everything but the noise.
  PlannedNoise quiet(std::uint64_t run) const;

  // A run of plan() has ended, with this many concurrent events by place.
  void learn(const PlannedNoise& planned, const NoisePlaces& events, bool failed);

 private:
  void hold_up_at(NoiseArm& arm, NoiseFocus focus) const;
  std::vector<std::uint64_t> draw_targets(Random& random) const;

  NoiseRequest request_;
  std::chrono::nanoseconds longest_;
  std::uint64_t seed_;
  NoiseArms arms_;
  bool all_given_;
  std::array<double, kNoisePlaces> expected_{kFirstGuess * kUsualRarity};  // events of a run, by rarity
  std::uint64_t learned_ = 0;                                              // runs
  std::optional<std::uint64_t> hunts_from_;
  std::map<std::uint64_t, std::uint32_t> revisits_;  // how often each was targeted
  bool has_failed_ = false;
};

}  // namespace ravel

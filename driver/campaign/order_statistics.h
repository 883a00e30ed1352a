// SPDX-License-Identifier: Apache-2.0
// OrderStatistics: how many different orders of operations a campaign has seen, and how likely the next execution is to
// show a new one. Used by CampaignState under its lock.
//
// The estimate is Good-Turing's: the probability that the next sample is of a kind not seen yet is about the share of
// samples that were of a kind seen exactly once (I. J. Good, Biometrika 1953).
#pragma once

#include <cstdint>
#include <unordered_map>

namespace ravel {

class OrderStatistics {
 public:
  // Adds one finished execution by the hash of its order. True when the order is new.
  bool add(std::uint64_t order_hash) {
    ++samples_;
    const std::uint64_t times = ++times_seen_[order_hash];
    if (times == 1) ++singletons_;
    if (times == 2) --singletons_;
    return times == 1;
  }

  std::uint64_t distinct() const { return times_seen_.size(); }

  // 1 before the first sample: everything is unseen.
  double unseen_probability() const {
    return samples_ == 0 ? 1.0 : static_cast<double>(singletons_) / static_cast<double>(samples_);
  }

 private:
  std::unordered_map<std::uint64_t, std::uint64_t> times_seen_;
  std::uint64_t samples_ = 0;
  std::uint64_t singletons_ = 0;
};

}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
// FailureRate: how often runs fail, and how certain that is. The interval is Wilson's for 95%: it also holds for rates
// near 0 and 1, where most of ours are. Pure values.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace ravel {

struct Interval {
  double low = 0;
  double high = 1;

  friend bool operator==(const Interval&, const Interval&) = default;
};

struct FailureRate {
  std::uint64_t runs = 0;
  std::uint64_t failures = 0;

  double rate() const { return runs == 0 ? 0 : static_cast<double>(failures) / static_cast<double>(runs); }

  // E. B. Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927).
  Interval interval() const {
    if (runs == 0) return {};
    constexpr double kQuantile = 1.959963984540054;  // of the normal distribution, for 95% around the middle
    const auto n = static_cast<double>(runs);
    const double p = rate();
    const double z2 = kQuantile * kQuantile;
    const double middle = (p + z2 / (2 * n)) / (1 + z2 / n);
    const double half = kQuantile / (1 + z2 / n) * std::sqrt(p * (1 - p) / n + z2 / (4 * n * n));
    // The rate of something that never happened may be 0, whatever rounding says; of something that always happened, 1.
    return {failures == 0 ? 0.0 : std::max(0.0, middle - half), failures == runs ? 1.0 : std::min(1.0, middle + half)};
  }
};

}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
// PS-Redundant: two tests whose calls have the same sequential coverage, call by call, have the same schedules; one of
// them is enough. Thread safety: none.
#pragma once

#include <cstdint>
#include <set>
#include <utility>

#include "driver/reproduce/call_record.h"

namespace ravel {

// The pairs of calls whose schedules were explored.
class CoveredPairs {
 public:
  bool contains(const CallRecord& crashing, const CallRecord& interfering) const {
    return pairs_.contains({crashing.coverage, interfering.coverage});
  }
  void insert(const CallRecord& crashing, const CallRecord& interfering) {
    pairs_.emplace(crashing.coverage, interfering.coverage);
  }

 private:
  std::set<std::pair<std::uint64_t, std::uint64_t>> pairs_;
};

}  // namespace ravel

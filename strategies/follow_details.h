// SPDX-License-Identifier: Apache-2.0
// The details of a `follow` plan: what happened in a recorded run, thread by thread, with the place of every event in
// the order of all. The planner writes them (follow_details.cpp), the chooser looks things up.
//
//   word 0           the number of threads
//   two per thread   its creation path (strategies/task_paths.h), ascending; first event << 32 | number of events
//   one per event    place << 44 | loop << 32 | key
//
// Thread safety: plain data, read by one task at a time. No allocation, no libc: it is used in the target.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/random.h"
#include "model/operation.h"
#include "model/plan.h"

namespace ravel {

inline constexpr std::size_t kFollowHeaderWords = 1;
inline constexpr std::size_t kFollowThreadWords = 2;
inline constexpr unsigned kFollowPlaceShift = 44;
inline constexpr unsigned kFollowLoopShift = 32;
static_assert(kMaxPlanDetails <= 1U << (64 - kFollowPlaceShift), "places are as many as events");

// What is compared: the kind and a hash of the code location.
constexpr std::uint32_t follow_key(OperationKind kind, std::uint64_t pc) {
  constexpr std::uint64_t kSalt = 0x666f6c6c6f77;
  return (static_cast<std::uint32_t>(kind) << 24) | static_cast<std::uint32_t>(hash_mix(kSalt, pc) & 0xffffff);
}

// The loop an event belongs to, 12 bits. 0: none, or its last round.
//   kFollowFolded | period  the last event of a loop whose rounds were not all kept: there may be more of them
//   distance                to the same event in a later round: the last one unless that is too far
inline constexpr std::uint32_t kFollowFolded = 1U << 11;
inline constexpr std::uint32_t kFollowFarthest = kFollowFolded - 1;
inline constexpr std::uint32_t kFollowLongestPeriod = 8;

constexpr std::uint64_t follow_event(std::uint32_t place, std::uint32_t loop, std::uint32_t key) {
  return (std::uint64_t{place} << kFollowPlaceShift) | (std::uint64_t{loop} << kFollowLoopShift) | key;
}
constexpr std::uint32_t follow_place(std::uint64_t event) {
  return static_cast<std::uint32_t>(event >> kFollowPlaceShift);
}
constexpr std::uint32_t follow_loop(std::uint64_t event) {
  return static_cast<std::uint32_t>(event >> kFollowLoopShift) & (2 * kFollowFolded - 1);
}
constexpr OperationKind follow_kind(std::uint64_t event) { return static_cast<OperationKind>((event >> 24) & 0xff); }

class FollowTable {
 public:
  constexpr FollowTable() = default;
  constexpr explicit FollowTable(std::span<const std::uint64_t> words) : words_(words) {
    if (words.size() < kFollowHeaderWords) return;
    const std::size_t most = (words.size() - kFollowHeaderWords) / kFollowThreadWords;
    threads_ = words[0] < most ? static_cast<std::size_t>(words[0]) : most;
  }

  std::uint64_t operator[](std::uint32_t event) const { return words_[event]; }

  // The events [begin, end) of the thread with that path; none when it is not in the record.
  struct Events {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
  };
  Events find(std::uint64_t path) const {
    std::size_t low = 0;
    std::size_t high = threads_;
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      const std::uint64_t* const thread = words_.data() + kFollowHeaderWords + middle * kFollowThreadWords;
      if (thread[0] == path) {
        const std::uint64_t begin = thread[1] >> 32;
        const std::uint64_t end = begin + static_cast<std::uint32_t>(thread[1]);
        if (end > words_.size()) return {};
        return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
      }
      if (thread[0] < path) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return {};
  }

 private:
  std::span<const std::uint64_t> words_;
  std::size_t threads_ = 0;
};

}  // namespace ravel

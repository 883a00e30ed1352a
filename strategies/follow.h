// SPDX-License-Identifier: Apache-2.0
// Recording and make_follow_planner(): the driver's interface to `follow`. The record of a parallel run becomes a
// planner whose executions take the same order, as far as it fits. docs/strategies/follow.md.
//
// Who calls it: driver/noise, which reads records, and campaigns that follow one. Thread safety: plain functions.
#pragma once

#ifndef RAVEL_IN_TARGET
#include <ravel/strategy.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace ravel {

struct RecordedEvent {
  std::uint64_t clock = 0;   // of two events of one thread, or on one object, the later one has the larger value
  std::uint32_t thread = 0;  // index into Recording::threads
  OperationKind kind = OperationKind::read;
  std::uint64_t pc = 0;
  std::uint64_t object = 0;
};

// Thread 0 is the program's first. The others are identified by their creator and the order in which it created them.
struct RecordedThread {
  std::uint32_t creator = 0;  // index; a creator's index is smaller than its children's
  std::uint32_t birth = 0;    // grows with each child of a creator; reused after a creation that failed
};

struct Recording {
  std::vector<RecordedThread> threads;
  std::vector<RecordedEvent> events;  // those of each thread in its order
};

// The record encoded as in strategies/follow_details.h, in at most `most` words.
std::vector<std::uint64_t> follow_details(const Recording& recording, std::size_t most = kMaxPlanDetails);

// The first two executions follow the record's order; later ones leave it more and more often.
std::unique_ptr<Planner> make_follow_planner(const Recording& recording, std::uint64_t seed);

}  // namespace ravel
#endif

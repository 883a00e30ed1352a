// SPDX-License-Identifier: Apache-2.0
// The driver's way into `follow`: the record of a really parallel run becomes a planner whose executions take the same
// order, as far as it fits. docs/strategies/follow.md.
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
  std::uint64_t clock = 0;   // of two events of one thread, or on one object, the later one has the larger
  std::uint32_t thread = 0;  // index into Recording::threads
  OperationKind kind = OperationKind::read;
  std::uint64_t pc = 0;
  std::uint64_t object = 0;
};

// Thread 0 is the program's first. The others are named by who created them and in which order it did.
struct RecordedThread {
  std::uint32_t creator = 0;  // index; that of a creator is smaller than those of its children
  std::uint32_t birth = 0;    // grows with each child of a creator; that of one that could not be created comes again
};

struct Recording {
  std::vector<RecordedThread> threads;
  std::vector<RecordedEvent> events;  // those of one thread in its order
};

// The record in the words of strategies/follow_details.h, at most `most` of them.
std::vector<std::uint64_t> follow_details(const Recording& recording, std::size_t most = kMaxPlanDetails);

// The first two executions take the record's order; later ones leave it more and more often.
std::unique_ptr<Planner> make_follow_planner(const Recording& recording, std::uint64_t seed);

}  // namespace ravel
#endif

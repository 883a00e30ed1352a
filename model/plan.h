// SPDX-License-Identifier: Apache-2.0
// Plan: what a strategy's planner hands to its chooser for one execution. Plain data of fixed size: it is written into
// shared memory, and as text into the header of the schedule that comes out of it.
#pragma once

#include <cstdint>

#include "model/trace_event.h"

namespace ravel {

enum class StrategyKind : std::uint8_t {
#define RAVEL_STRATEGY(enumerator, name, sentence) enumerator,
#include "model/strategy.def"
#undef RAVEL_STRATEGY
};

inline constexpr unsigned kStrategyKinds = 0
#define RAVEL_STRATEGY(enumerator, name, sentence) +1
#include "model/strategy.def"
#undef RAVEL_STRATEGY
    ;

constexpr const char* strategy_name(StrategyKind kind) {
  constexpr const char* kNames[] = {
#define RAVEL_STRATEGY(enumerator, name, sentence) name,
#include "model/strategy.def"
#undef RAVEL_STRATEGY
  };
  return kNames[static_cast<unsigned>(kind)];
}

// Environment choices are quiet (choice 0) except once in 2^n; this value means never.
inline constexpr std::uint8_t kQuietEnvironment = 255;

// Steering towards a deadlock that seems possible: a task that holds `held` and is about to take `wanted` is kept back
// until every other hold of the plan keeps somebody back too, or nobody else can run. Addresses of locks: they are the
// same in every execution of one target. 0: none.
struct LockHold {
  std::uint64_t held = 0;
  std::uint64_t wanted = 0;

  friend constexpr bool operator==(const LockHold&, const LockHold&) = default;
};
inline constexpr unsigned kMaxLockHolds = 4;

inline constexpr unsigned kMaxPlanDetails = 1U << 20;

struct Plan {
  StrategyKind strategy = StrategyKind::sequential;
  std::uint8_t environment_power = kQuietEnvironment;  // unusual environment choices: one in 2^n
  std::uint8_t switch_power = 1;                       // random: switch with probability 1/2^n at a point
  std::uint32_t depth = 1;                             // pct: bug depth d, so d-1 change points
  std::uint64_t seed = 0;                              // of the chooser's generator
  std::uint64_t length_estimate = 0;                   // pct: k, steps of earlier executions
  TraceLevel trace = TraceLevel::none;                 // what to tell besides the summary
  std::uint8_t spin_power = 4;                         // a loop is a spin after 2^n rounds of unchanged reads
  std::uint8_t stale_power = kQuietEnvironment;        // atomics: an older store than the newest, one in 2^n
  // 1: every schedule is to be explored. Whoever is the only live task passes its points all the same (where they are
  // must not depend on who has ended), loops are judged by what they look at, and the trace tells who was enabled.
  std::uint8_t exhaustive = 0;
  // 1: a sleep is no order: it is over as soon as it begins, though others could run.
  std::uint8_t short_sleeps = 0;
  std::uint8_t reserved1[3] = {};
  LockHold hold[kMaxLockHolds] = {};  // used ones first

  constexpr bool steers() const { return hold[0].held != 0; }

  friend constexpr bool operator==(const Plan&, const Plan&) = default;
};

}  // namespace ravel

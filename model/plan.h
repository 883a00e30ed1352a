// SPDX-License-Identifier: Apache-2.0
// Plan: what a strategy's planner passes to its chooser for one execution. Plain data of fixed size: it is written into
// shared memory, and as text into the header of the schedule.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "model/strategy_kind.h"
#include "model/trace_event.h"

namespace ravel {

// Environment choices are quiet (choice 0) except once in 2^n; this value means never.
inline constexpr std::uint8_t kQuietEnvironment = 255;

// Steering towards a deadlock that seems possible: a task that holds `held` and is about to take `wanted` is held back
// until every other hold of the plan holds a task back too, or no other task can run. Addresses of locks: they are the
// same in every execution of one target. 0: none.
struct LockHold {
  std::uint64_t held = 0;
  std::uint64_t wanted = 0;

  friend constexpr bool operator==(const LockHold&, const LockHold&) = default;
};
inline constexpr unsigned kMaxLockHolds = 4;

inline constexpr unsigned kMaxPlanDetails = 1U << 20;

// What every strategy understands, and a few parameters that only the strategy itself does.
struct Plan {
  StrategyKind strategy = StrategyKind::sequential;
  TraceLevel trace = TraceLevel::none;                 // what to report besides the summary
  std::uint8_t environment_power = kQuietEnvironment;  // unusual environment choices: one in 2^n
  std::uint8_t stale_power = kQuietEnvironment;        // atomics read an older store than the newest one time in 2^n
  std::uint8_t spin_power = 4;                         // a loop counts as spinning after 2^n rounds of unchanged reads
  // 1: every schedule is to be explored. Then even the only live task passes scheduling points (where they are must not
  // depend on which tasks have ended), loops are judged by what they read, and the trace says who was enabled.
  std::uint8_t exhaustive = 0;
  // 1: a sleep orders nothing: it ends as soon as it begins, even if others could run.
  std::uint8_t short_sleeps = 0;
  std::uint8_t reserved = 0;
  std::uint64_t seed = 0;             // of the chooser's generator
  LockHold hold[kMaxLockHolds] = {};  // the used ones come first

  // The strategy's own parameters, in the order of its row in model/strategy.def. Each is stored as its xor with the
  // default: zeros are every strategy's default plan.
  std::uint64_t own[kMaxStrategyParameters] = {};

  constexpr bool steers() const { return hold[0].held != 0; }

  // By the name that the strategy's row gives it.
  std::uint64_t parameter(std::string_view name) const {
    const std::size_t place = place_of(name);
    return own[place] ^ strategy_parameters(strategy)[place].usual;
  }
  void set_parameter(std::string_view name, std::uint64_t value) {
    const std::size_t place = place_of(name);
    own[place] = value ^ strategy_parameters(strategy)[place].usual;
  }

  // Changes to another strategy, with its default parameters.
  void change_strategy(StrategyKind kind) {
    strategy = kind;
    for (std::uint64_t& word : own) word = 0;
  }

  friend constexpr bool operator==(const Plan&, const Plan&) = default;

 private:
  std::size_t place_of(std::string_view name) const {
    const auto parameters = strategy_parameters(strategy);
    std::size_t place = 0;
    while (place < parameters.size() && parameters[place].name != name) ++place;
    RAVEL_CHECK(place < parameters.size(), "the row of the strategy has no parameter of that name");
    return place;
  }
};

}  // namespace ravel

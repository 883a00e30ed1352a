// SPDX-License-Identifier: Apache-2.0
// TraceEvent and OfferedChoice: what an execution reports beyond its summary if its plan asks for it (Plan::trace):
// every step, and every choice offered other than the choice of a task. Plain data, written by the target into shared
// memory.
#pragma once

#include <cstdint>

#include "model/decision.h"
#include "model/operation.h"

namespace ravel {

// Plan::trace.
enum class TraceLevel : std::uint8_t {
  none,
  operations,  // what was done, in which order
  values,      // and what memory contained before and after: costs system calls, meant for single executions
};

inline constexpr std::uint32_t kTraceBeforeKnown = 1;  // TraceEvent::before is valid
inline constexpr std::uint32_t kTraceAfterKnown = 2;   // TraceEvent::after is valid
inline constexpr std::uint32_t kTracePreempts = 4;     // the previous task could have continued, and had not yielded
inline constexpr std::uint32_t kTraceOlderStore = 8;   // an atomic operation took an older store: `before` is its value
// Only when the plan is exhaustive:
inline constexpr std::uint32_t kTraceMayGoOn = 16;      // likewise, whoever made the step
inline constexpr std::uint32_t kTraceChanged = 32;      // it changed the state of an object that others may wait for
inline constexpr std::uint32_t kTraceAfterIdle = 64;    // no task could run before it: time passed, or spinning ended
inline constexpr std::uint32_t kTraceStoreKnown = 128;  // TraceEvent::store is valid
// Always:
inline constexpr std::uint32_t kTraceYielded = 256;   // others could have run, and the task had let them go first
inline constexpr std::uint32_t kTraceTimedOut = 512;  // what the task waited for had not come: its time was up

struct TraceEvent {
  Operation operation;
  std::uint64_t before = 0;  // accesses up to eight bytes: what a read saw, what a write replaced
  std::uint64_t after = 0;   // what the memory contained when the next step was made
  std::uint32_t flags = 0;
  std::uint32_t position = 0;  // of an access that is not a step: how many steps were traced before it
  // Only when the plan is exhaustive:
  std::uint64_t enabled = 0;  // bit t: task t could have made this step; tasks from 64 on are left out
  std::uint64_t store = 0;  // atomics: 1 + the step of the store it read or was placed after; 0: the value from before
};

// An environment choice or a choice of store, with at least two options. The decisions contain the answer too, but the
// number of options is only here.
struct OfferedChoice {
  std::uint64_t step = 0;  // steps made before it, including the one it belongs to
  DecisionKind kind = DecisionKind::environment;
  EnvironmentKind detail = EnvironmentKind::spurious_wakeup;
  std::uint16_t reserved = 0;
  std::uint32_t options = 0;
  std::uint32_t taken = 0;
  std::uint32_t reserved1 = 0;
};

}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
// CallPairs: the calls of one execution, and which two of them can run at the same time. Two calls of different tasks
// can unless one is over before the other begins in every execution that is equivalent to this one (PartialOrder). Such
// a pair comes with the decisions that lead to the point where both tasks are about to make their calls: all that
// happens before the one or the other, and nothing else.
//
// Who calls it: InPlacePlanner. Thread safety: no state.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "strategies/partial_order.h"
#include "strategies/search_window.h"

namespace ravel {

// One execution of a function.
struct ExecutedCall {
  std::uint64_t function = 0;  // where it begins
  WindowCall call;
  std::size_t begin = 0;      // the step with which it begins
  std::size_t last = 0;       // the last step of its own, but for the one with which it ends
  std::size_t steps = 0;      // of its own in between, those of calls inside it included
  std::ptrdiff_t outer = -1;  // the call it is part of, as an index; -1: none
  bool wraps = false;         // all its steps are those of one call inside it
  std::uint64_t path = 0;     // equal for calls that made the same kinds of steps at the same places
};

struct ParallelCalls {
  std::uint64_t functions[2] = {};  // the lower address first
  std::uint64_t key = 0;            // equal for the same functions on the same paths with the same conflicts
  bool innermost = false;           // both make conflicting steps themselves, not only by calls of other functions
  std::size_t steps = 0;            // of both calls
  std::uint64_t turn = 0;           // how many pairs of the same functions come before it
  SearchWindow window;
};

// In order of their beginnings.
std::vector<ExecutedCall> calls_of(const PartialOrder& order);

// Pairs that conflict: some steps of theirs cannot be swapped. One of each key that `wanted` accepts.
std::vector<ParallelCalls> parallel_calls(const PartialOrder& order, const std::function<bool(std::uint64_t)>& wanted);

}  // namespace ravel

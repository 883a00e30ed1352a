// SPDX-License-Identifier: Apache-2.0
// FutureChoice: "this read sees that write", as a user writes it: `t3.cpp:21 <- t1.cpp:8`, `t3.cpp:21 n #2 T2 <-
// initial`. Plain data and pure functions.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "driver/futures/observed_execution.h"
#include "driver/futures/order_search.h"

namespace ravel {

// One side of a choice.
struct ChoicePlace {
  std::string file;  // the end of a path, on whole names
  std::uint32_t line = 0;
  std::string variable;          // empty: any
  TaskId task = kNoTask;         // any
  std::uint32_t occurrence = 0;  // any
};

struct FutureChoice {
  std::string text;  // as given
  ChoicePlace read;
  bool initial = false;
  ChoicePlace write;  // when not initial
};

// "READ <- WRITE".
Result<FutureChoice> parse_choice(const std::string& text);
// "READ", of --initial.
Result<FutureChoice> parse_initial(const std::string& text);

// Does the event match this side of a choice?
enum class ChoiceSide : std::uint8_t { read, write };
bool fits(const ChoicePlace& place, ChoiceSide side, const ObservedExecution& seen, const ObservedEvent& event);

// An error when two choices are about the same read.
Status check_choices(std::span<const FutureChoice> choices);

// An error when a choice names something that none of these executions has: no such line, no shared read there, a write
// that did not run.
Status check_against(std::span<const FutureChoice> choices, std::span<const ObservedExecution* const> seen);

// The ways in which operations of this execution can match the choices: a ReadChoice for each. A choice of the initial
// value without a variable is for all variables at its place that no other choice names. Empty when some read or write
// is not in this execution; at most `most`.
std::vector<std::vector<ReadChoice>> ways_to_choose(std::span<const FutureChoice> choices,
                                                    const ObservedExecution& seen, std::size_t most);

// Does this execution show them all?
bool shows(const ObservedExecution& seen, std::span<const FutureChoice> choices);

}  // namespace ravel

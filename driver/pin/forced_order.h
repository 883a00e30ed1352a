// SPDX-License-Identifier: Apache-2.0
// ForcedPrecedence: from precedences to actions. For each precedence, the places where its notify and its wait can go,
// best first. A race test is a choice of precedences, with one place for each action.
//
// Who calls it: pin(). Pure functions of the order and the names.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "driver/pin/failing_order.h"
#include "driver/pin/place_names.h"
#include "driver/race_tests/race_test.h"

namespace ravel {

// Where an action can go.
struct ActionPlace {
  Point point;
  bool after = false;
  unsigned arrival = 0;
  unsigned task = 0;
  bool exact = false;  // the task does nothing between the step and the action
  TaskId actor = 0;    // who performs it; for messages

  friend bool operator==(const ActionPlace&, const ActionPlace&) = default;
};

struct ForcedPrecedence {
  Precedence precedence;
  std::vector<ActionPlace> notifies;
  std::vector<ActionPlace> waits;
};

// Those precedences that have places for both actions.
std::vector<ForcedPrecedence> force(const FailingOrder& order, const std::vector<Precedence>& precedences,
                                    const PlaceNames& names);

// One precedence of a test, and which of its places are used.
struct Choice {
  std::size_t precedence = 0;
  std::size_t notify = 0;
  std::size_t wait = 0;
  bool by_task = false;  // both actions name their tasks

  friend bool operator==(const Choice&, const Choice&) = default;
};

// The actions of a test: notifies before waits, so that a task that has done its part says so before it waits.
std::vector<Action> actions_of(const std::vector<ForcedPrecedence>& forced, const std::vector<Choice>& choices);

// Of so many at most, smaller_choices() gives every subset.
inline constexpr std::size_t kFewPrecedences = 6;

// Choices of precedences, fewest first: all subsets when there are few, otherwise each alone, all but one or some, and
// all. At most `most`.
std::vector<std::vector<Choice>> smaller_choices(const std::vector<Choice>& all, std::size_t most);

}  // namespace ravel

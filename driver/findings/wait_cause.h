// SPDX-License-Identifier: Apache-2.0
// Waits as causes. Of tasks that wait for ever: the notification that nobody heard, that woke a task which could not
// use it, or that was for another condition variable. Of tasks that went on too early: the wait that timed out, the
// wake-up without a notification, the compare-exchange that failed without a reason.
//
// What a trace makes suspicious is tried: the notification later, or for another waiter, or without the unusual answer.
// Only what passes then is said to pass.
//
// Who calls it: FindingShrinker, before find_cause. Thread safety: one thread; no state outside.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "driver/findings/cause.h"
#include "driver/findings/shrinker.h"
#include "driver/findings/wait_history.h"
#include "driver/target/execution_record.h"

namespace ravel {

// Something about a wait that never ended; indices of steps.
struct WaitSuspicion {
  CauseKind kind = CauseKind::unheard;
  std::size_t first = 0;
  std::size_t second = 0;

  friend bool operator==(const WaitSuspicion&, const WaitSuspicion&) = default;
};

// Of an execution in which no task could go on: what may be the reason, the most telling first. `stuck`: what each task
// waited for in the end.
std::vector<WaitSuspicion> suspect_waits(const std::vector<TraceEvent>& trace, const WaitHistory& history,
                                         const std::vector<TraceEvent>& accesses, const std::vector<Operation>& stuck);

// `record`: the failing execution with values. nullopt: no wait is the cause.
std::optional<Cause> find_wait_cause(TrialRunner& runner, const Shrunk& failing, const ExecutionRecord& record);

struct AnswerCause {
  Cause cause;
  Trial passing;                            // without the answer
  std::optional<std::size_t> missing_step;  // in it: Cause::missing
};

// The unusual answer of the environment without which the program passes, if it is one to a wait or a weak
// compare-exchange.
std::optional<AnswerCause> find_answer_cause(TrialRunner& runner, const Shrunk& failing);

}  // namespace ravel

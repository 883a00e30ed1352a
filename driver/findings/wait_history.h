// SPDX-License-Identifier: Apache-2.0
// WaitHistory: the waits on condition variables and futexes in a trace, and what ended each of them; the notifications,
// and whom each of them woke. Pure: it follows from the steps and the decisions.
//
// Who makes it: find_wait_cause. Thread safety: immutable after construction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "model/decision.h"
#include "model/trace_event.h"

namespace ravel {

enum class WaitEnd : std::uint8_t {
  never,  // the task still waits
  notified,
  spurious,  // nobody had notified it
  timed_out,
};

// Indices of steps.
struct WaitSpan {
  TaskId task = 0;
  std::uint64_t object = 0;
  std::size_t begin = 0;
  std::optional<std::size_t> end = {};  // the step with which the task went on
  WaitEnd how = WaitEnd::never;
  std::size_t notification = 0;  // index into notifications(), if it was notified
};

struct Notification {
  std::size_t step = 0;
  std::uint64_t object = 0;
  bool all = false;
  std::vector<std::size_t> waited = {};  // indices into spans(): who waited when it came, in order of arrival
  std::vector<std::size_t> woke = {};    // those of them that it woke
};

class WaitHistory {
 public:
  WaitHistory(const std::vector<TraceEvent>& trace, const std::vector<DecisionRun>& decisions);

  const std::vector<WaitSpan>& spans() const { return spans_; }
  const std::vector<Notification>& notifications() const { return notifications_; }

  // The span in which the task waits when the trace ends; nullptr when it does not.
  const WaitSpan* last_of(TaskId task) const;

 private:
  std::vector<WaitSpan> spans_;
  std::vector<Notification> notifications_;
};

// The answer to an environment choice, and the step after which it was given.
struct GivenAnswer {
  std::size_t step = 0;
  EnvironmentKind kind = EnvironmentKind::spurious_wakeup;
  std::uint32_t value = 0;
};
std::vector<GivenAnswer> answers_in(std::span<const DecisionRun> decisions);

constexpr bool begins_wait(const Operation& operation) {
  return operation.kind == OperationKind::condition_wait || operation.kind == OperationKind::condition_timed_wait ||
         (operation.kind == OperationKind::futex_wait && operation.value != kFutexWaitEnds);
}
constexpr bool ends_wait(const Operation& operation) {
  return operation.kind == OperationKind::condition_wake ||
         (operation.kind == OperationKind::futex_wait && operation.value == kFutexWaitEnds);
}
constexpr bool notifies(OperationKind kind) {
  return kind == OperationKind::condition_signal || kind == OperationKind::condition_broadcast ||
         kind == OperationKind::futex_wake;
}

}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
// step_orders(): the pairs of steps of different tasks that synchronisation orders, and which write a read saw: the
// arrows of a timeline. Only pairs that the trace proves; what fences and futexes order is left out.
//
// Who calls it: explain(), for the execution it explains. Thread safety: a pure function.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "model/trace_event.h"

namespace ravel {

enum class OrderKind : std::uint8_t {
  created,    // the first step of a task comes after its creation
  joined,     // a join comes after the last step of the task
  lock,       // a lock is taken after another task released it
  notified,   // a wait ends after a notification
  semaphore,  // a semaphore was posted before
  barrier,    // all arrive before one leaves
  once,       // what is done once was done before
  atomic,     // an acquire reads what a release wrote
  value,      // a plain or relaxed read sees what another task wrote: not an order that the program can rely on
};

constexpr const char* order_name(OrderKind kind) {
  constexpr const char* kNames[] = {"created", "joined", "lock",   "notified", "semaphore",
                                    "barrier", "once",   "atomic", "value"};
  return kNames[static_cast<unsigned>(kind)];
}

// Indices into the trace.
struct StepOrder {
  std::size_t first = 0;
  std::size_t second = 0;
  OrderKind kind = OrderKind::value;

  friend bool operator==(const StepOrder&, const StepOrder&) = default;
};

// In order of `second`.
std::vector<StepOrder> step_orders(std::span<const TraceEvent> trace);

// Did the attempt at trace[index] get the lock? What the task does to the lock next shows it.
bool is_released_next(std::span<const TraceEvent> trace, std::size_t index);

}  // namespace ravel

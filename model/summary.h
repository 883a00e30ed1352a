// SPDX-License-Identifier: Apache-2.0
// ExecutionSummary: what an execution leaves for the planner and the report. The target writes it into shared memory as
// it runs, so it is valid at whatever instruction the execution ends.
#pragma once

#include <cstdint>

namespace ravel {

enum class Outcome : std::uint8_t {
  running,         // the target died without reporting anything: look at the wait status
  ended,           // the program ended by itself; the wait status says how
  stopped,         // the engine ended it after a finding that leaves nothing to run (deadlock, livelock)
  cut,             // max_steps reached while the program was still making progress
  diverged,        // the prefix did not fit; see divergence
  internal_error,  // a check of ours failed; see message
};

// Where and how a prefix stopped fitting.
struct Divergence {
  std::uint64_t step = 0;
  std::uint32_t expected_task = 0;
  std::uint32_t reason = 0;  // DivergenceReason
};

enum class DivergenceReason : std::uint32_t {
  none,
  task_not_enabled,       // expected_task exists but cannot run here
  no_such_task,           // expected_task was not created
  decision_kind_differs,  // a task decision where the program asks for an environment choice, or vice versa
  choice_out_of_range,    // an environment choice that the program does not offer
};

// Why a replay may be best-effort: a task waited for something outside, or the clock decided where it yielded.
inline constexpr std::uint8_t kExternalWait = 1;
inline constexpr std::uint8_t kExternalNudge = 2;

struct ExecutionSummary {
  Outcome outcome = Outcome::running;
  std::uint8_t decision_log_full = 0;  // the log was full: the execution cannot be replayed
  std::uint8_t trace_full = 0;
  std::uint8_t external = 0;          // kExternalWait, kExternalNudge: a task left Ravel's control
  std::uint8_t order_lost = 0;        // a task released more often than clocks can count: what came later is not judged
  std::uint8_t history_cut = 0;       // an atomic operation could have seen a store that is no longer remembered
  std::uint8_t weak_memory = 0;       // atomics followed the C++ memory model, not one order
  std::uint32_t tasks = 1;            // created so far, including T0
  std::uint64_t steps = 0;            // scheduling points passed
  std::uint64_t choices = 0;          // steps at which more than one task was enabled
  std::uint64_t switches = 0;         // steps by a different task than the step before
  std::uint64_t preemptions = 0;      // switches away from a task that was enabled and not yielding
  std::uint64_t order_hash = 0;       // of the partial order of steps: runtime/recorder/order_hash.h
  std::uint64_t memory_accesses = 0;  // instrumented accesses seen under control, points or not
  std::uint64_t virtual_nanoseconds = 0;
  std::uint32_t decision_runs = 0;  // entries in the decision log
  std::uint32_t trace_events = 0;
  std::uint32_t trace_accesses = 0;  // plain accesses that are not steps, at TraceLevel::values
  std::uint32_t offered = 0;         // choices in the trace other than task choices
  std::uint32_t waiting = 0;         // tasks left waiting when the execution was stopped
  std::uint64_t waiting_step = 0;    // steps made when `waiting` was recorded
  Divergence divergence;
};

}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
// Explanation: how a finding came about, in words and without addresses: which task did what in which order, what
// memory held, why another task ran next, and which two operations decided. Complete: each rendering takes from it what
// it can show.
//
// Who fills it: explain() of reports/explain_trace.h. Thread safety: plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/cause_kind.h"
#include "model/finding.h"
#include "model/operation.h"
#include "reports/finding_report.h"
#include "reports/step_orders.h"

namespace ravel {

// How much a step has to do with the finding.
enum class Weight : std::uint8_t {
  alone,    // touches only what no other task touches
  shared,   // touches what others touch as well
  related,  // touches what the cause or the finding is about, or a lock held there
  cause,    // one of the operations that decide
};

enum class SwitchReason : std::uint8_t {
  none,       // the task continues
  preempted,  // it could have gone on
  blocked,    // another task holds the lock
  waits,      // for a notification, a join, input, a barrier
  sleeps,
  yielded,
  spins,  // repeats a loop in which nothing changes
  ended,
};

struct ExplainedStep {
  std::uint64_t number = 0;  // of the step in the execution, from 1
  TaskId task = kNoTask;
  OperationKind kind = OperationKind::read;
  Weight weight = Weight::alone;
  std::string object;             // "balance", "mutex M1", "T2"; empty when the operation has none
  std::string before;             // what the memory held, as a programmer would write it; empty when unknown
  std::string after;              // what it held afterwards
  bool older_store = false;       // an atomic operation that did not take the newest store: `before` is what it took
  std::string note;               // what the environment did here: "its time is up"; mostly empty
  std::vector<std::string> held;  // locks the task holds when it makes the step
  std::string releases;           // the mutex that a wait on a condition variable releases; empty for other steps
  std::vector<Frame> stack;       // innermost first, library frames at both ends left out
  std::string source;             // the text of the line, trimmed; empty when it is not there
  std::uint32_t mark = 0;         // 1, 2, 3: the operations that decide, in order
  std::uint32_t rounds = 1;       // how often this step and the `round_steps - 1` after it were made
  std::uint32_t round_steps = 1;  // how many steps a round has
  SwitchReason leaves = SwitchReason::none;  // why the next step is another task's
  std::string leaves_for;                    // what it waits for then: "mutex M1", "T2"
  TaskId holder = kNoTask;                   // who has that

  friend bool operator==(const ExplainedStep&, const ExplainedStep&) = default;
};

struct ExplainedTask {
  TaskId task = kNoTask;
  std::string name;      // pthread_setname_np
  std::string function;  // where it began: "deposit(Account&, int)"; empty when unknown
  TaskId creator = kNoTask;

  friend bool operator==(const ExplainedTask&, const ExplainedTask&) = default;
};

// One of the operations that decide.
struct DecidingOperation {
  ExplainedStep step;
  std::string operation;  // "write 4 bytes"

  friend bool operator==(const DecidingOperation&, const DecidingOperation&) = default;
};

// How executions ended in which the pair was as in the failing one, and those in which it was the other way round. Of
// two pairs: in which both were, and one of them was not.
struct TrialCounts {
  std::uint32_t failed_so = 0;
  std::uint32_t passed_so = 0;
  std::uint32_t failed_otherwise = 0;
  std::uint32_t passed_otherwise = 0;

  std::uint32_t otherwise() const { return failed_otherwise + passed_otherwise; }
  friend bool operator==(const TrialCounts&, const TrialCounts&) = default;
};

struct DecidingPair {
  DecidingOperation first;
  DecidingOperation second;

  friend bool operator==(const DecidingPair&, const DecidingPair&) = default;
};

// Two operations of different tasks whose order decides between failing and passing.
struct ExplainedCause {
  DecidingOperation first;
  DecidingOperation second;
  bool second_happened = true;             // false: its task had not reached it when the program failed
  std::optional<DecidingOperation> third;  // the first task comes back to what the second changed
  std::optional<DecidingPair> also;        // a second pair: only with both so does the program fail
  bool passes_otherwise = false;           // the other order was run, and passed
  bool older_store = false;                // what decides is not their order, but that `second` read an older store
  CauseKind kind = CauseKind::order;
  TrialCounts trials;  // all 0: not counted

  friend bool operator==(const ExplainedCause&, const ExplainedCause&) = default;
};

// Two steps, by number, and what orders them.
struct ExplainedOrder {
  std::uint64_t first = 0;
  std::uint64_t second = 0;
  OrderKind kind = OrderKind::value;

  friend bool operator==(const ExplainedOrder&, const ExplainedOrder&) = default;
};

struct Explanation {
  FindingKind kind = FindingKind::user;
  std::vector<std::string> summary;    // sentences
  std::vector<ExplainedTask> tasks;    // those that made a step, in order of id
  std::vector<ExplainedStep> steps;    // rounds of loops folded
  std::vector<ExplainedOrder> orders;  // between steps of different tasks
  std::vector<ExplainedStep> passing;  // another order, which was run and passed; without values. May be empty
  std::optional<ExplainedCause> cause;
  TaskId failing_task = kNoTask;
  std::string failure;                  // what happened at the end: "assertion failed: balance == 150"
  std::string place;                    // where: "bank.cpp:36"; may be empty
  std::vector<ResolvedObject> objects;  // where numbered objects live
  std::uint64_t preemptions = 0;
  std::uint64_t all_steps = 0;
  bool cut = false;  // the execution was longer than what was kept of it

  friend bool operator==(const Explanation&, const Explanation&) = default;
};

}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
// The Strategy interface: how schedules are searched. One algorithm is one file in strategies/ holding both halves:
//
//   Planner  lives in the driver, remembers across executions, makes one Plan per execution.
//   Chooser  lives in the target, makes one decision at a time from the plan and the pending operations.
//
// Chooser ground rules: it runs inside the user's program, so no allocation, no exceptions, no libc calls, no memory
// beyond the execution. It is called by one task at a time; no locking needed. Everything it does must follow from the
// plan and the calls it gets: that is what makes a seed reproducible.
#pragma once

#include <cstdint>
#include <span>
#ifndef RAVEL_IN_TARGET
#include <vector>
#endif

#include "model/decision.h"
#include "model/operation.h"
#include "model/plan.h"
#include "model/summary.h"
#include "model/trace_event.h"

namespace ravel {

// What a chooser sees when it is asked for the next task.
struct TaskChoice {
  std::span<const TaskId> enabled;  // at least two entries; the order is arbitrary but deterministic
  const Operation* pending;         // indexed by TaskId: what each live task is about to do
  TaskId current;                   // who performed the last step; may be disabled or ended
  bool current_enabled;
  std::uint64_t step;  // steps performed so far in this execution
};

class Chooser {
 public:
  // Once, before the first decision of an execution. `details`: what the planner added to the plan, in words that only
  // the two halves of a strategy understand; valid for the whole execution.
  virtual void begin(const Plan& plan, std::span<const std::uint64_t> details) = 0;

  // When a task arrives at a scheduling point: `operation` is what it will do next. Once per step of that task.
  virtual void on_pending(const Operation& operation) = 0;

  // When a task becomes able (or unable) to perform its pending operation. Follows on_pending for enabled ones; called
  // only on changes; a task that ends is disabled first.
  virtual void on_enabled(TaskId task, bool enabled) = 0;

  // When a task yields or is seen spinning: it asks that others run first.
  virtual void on_yield(TaskId task) = 0;

  // At every step with at least two enabled tasks. Must return one of choice.enabled.
  virtual TaskId choose_task(const TaskChoice& choice) = 0;

  // After `operation` was chosen (by choose_task, by a prefix, or because it was the only one), before it takes effect.
  virtual void on_step(const Operation& operation) = 0;

  // An environment choice among [0, options), options >= 2; 0 is the quiet one.
  virtual std::uint32_t choose_environment(EnvironmentKind kind, std::uint32_t options) = 0;

  // Which store an atomic operation reads or is placed behind, among [0, options), options >= 2; 0 is the newest in
  // modification order, which is what a machine without weak memory does. After on_step of that operation, at most
  // once.
  virtual std::uint32_t choose_store(std::uint32_t) { return 0; }

 protected:
  ~Chooser() = default;
};

#ifndef RAVEL_IN_TARGET
// One execution to be: the plan, and what does not fit into its fixed size.
struct PlannedExecution {
  Plan plan;
  std::vector<DecisionRun> prefix = {};     // decisions to follow first; the execution ends where they do not fit
  std::vector<std::uint64_t> details = {};  // for the chooser of the plan's strategy; at most kMaxPlanDetails

  friend bool operator==(const PlannedExecution&, const PlannedExecution&) = default;
};

// One execution that was. Valid only during learn(). Addresses (objects, pcs) are the same in every execution of a
// campaign, since targets start without address randomisation; heap memory may lie elsewhere when the order differs.
struct ExecutionView {
  const ExecutionSummary& summary;
  std::span<const TraceEvent> trace = {};       // when the plan asked for it; see summary.trace_full
  std::span<const OfferedChoice> offered = {};  // with it
  std::span<const Operation> waiting = {};      // what tasks waited for when it was stopped (deadlock), likewise
  std::span<const DecisionRun> decisions = {};
  std::uint32_t new_sites = 0;  // code locations that became scheduling points: from now on there are more of them
  std::uint32_t news = 0;  // pairs of operations that the campaign had not seen before (driver/campaign/coverage.h)
  bool new_order = false;  // a partial order that it had not seen before
  bool failed = false;     // it had a finding other than a data race
};

// How far an exhaustive search has come.
struct SearchProgress {
  std::uint64_t explored = 0;   // executions of this search that differ in what the strategy tells apart
  std::uint64_t redundant = 0;  // that turned out to show nothing else than an earlier one
  std::uint64_t classes = 0;    // partial orders among the explored ones
  double estimate = 0;          // how many explored there will be in the end; 0: nobody knows
};

class Planner {
 public:
  virtual ~Planner() = default;

  // Before each execution; `execution` counts from 0 within the campaign. Called only while ready().
  virtual PlannedExecution next(std::uint64_t execution) = 0;

  // After each execution, in the order the executions were planned when there is one worker. `planned` may differ from
  // what next() returned: a campaign may steer it (Plan::hold) or ask for a trace.
  virtual void learn(const PlannedExecution& planned, const ExecutionView& view) = 0;

  // Exhaustive strategies. finished: everything was explored. ready: there is something to plan before the executions
  // under way have been learned.
  virtual bool finished() const { return false; }
  virtual bool ready() const { return true; }
  // complete: when finished, there was nothing that it could not follow (an execution that was cut, a task that left
  // control). progress: false for searches that have no end.
  virtual bool complete() const { return finished(); }
  virtual bool progress(SearchProgress&) const { return false; }
};
#endif

}  // namespace ravel

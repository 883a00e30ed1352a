// SPDX-License-Identifier: Apache-2.0
// Planner and Chooser: the interface between the engine and a strategy. One algorithm is one file in strategies/ with
// both halves:
//
//   Planner  lives in the driver, remembers across executions, makes one Plan per execution.
//   Chooser  lives in the target, makes one decision at a time from the plan and the pending operations.
//
// Who calls it: driver/campaign calls the planner, runtime/scheduler the chooser.
//
// Ground rules of a chooser: it runs inside the user's program, so no allocation, no exceptions, no libc calls, and no
// state that outlives the execution. Everything it does must follow from the plan and the calls it gets: that is what
// makes a seed reproducible.
//
// Thread safety: none needed. The engine calls a chooser from one task at a time; a campaign calls its planner under
// its lock.
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

// What a chooser sees when it chooses the next task.
struct TaskChoice {
  std::span<const TaskId> enabled;  // at least two entries; the order is arbitrary but deterministic
  const Operation* pending;         // indexed by TaskId: what each live task is about to do
  TaskId current;                   // the task that performed the last step; may be disabled or ended
  bool current_enabled;
  std::uint64_t step;  // steps performed so far in this execution
};

class Chooser {
 public:
  // Called once, before the first decision of an execution. `details` is what the planner added to the plan, in words
  // that only the two halves of a strategy understand; valid for the whole execution.
  virtual void begin(const Plan& plan, std::span<const std::uint64_t> details) = 0;

  // Called when a task arrives at a scheduling point, once per step of that task. `operation` is what it will do next.
  virtual void on_pending(const Operation& operation) = 0;

  // Called when a task becomes able (or unable) to perform its pending operation, after on_pending. Called only on
  // changes. A task that ends is disabled first.
  virtual void on_enabled(TaskId task, bool enabled) = 0;

  // Called when a task yields or is seen spinning: others should run first.
  virtual void on_yield(TaskId task) = 0;

  // Called at every step with at least two enabled tasks, unless a prefix decides. Must return one of choice.enabled.
  virtual TaskId choose_task(const TaskChoice& choice) = 0;

  // Called after `operation` was chosen (by choose_task, by a prefix, or because it was the only one), before it takes
  // effect.
  virtual void on_step(const Operation& operation) = 0;

  // Makes an environment choice in [0, options), options >= 2; 0 is the quiet one.
  virtual std::uint32_t choose_environment(EnvironmentKind kind, std::uint32_t options) = 0;

  // Chooses which store an atomic operation reads or is placed after, in [0, options), options >= 2. 0 is the newest in
  // modification order: what a machine without weak memory does. Called at most once per operation, after its on_step.
  virtual std::uint32_t choose_store(std::uint32_t) { return 0; }

 protected:
  ~Chooser() = default;
};

#ifndef RAVEL_IN_TARGET
// An execution to perform: the plan, and what does not fit into its fixed size.
struct PlannedExecution {
  Plan plan;
  std::vector<DecisionRun> prefix = {};     // decisions to follow first; the execution ends where they do not fit
  std::vector<std::uint64_t> details = {};  // for the chooser of the plan's strategy; at most kMaxPlanDetails

  friend bool operator==(const PlannedExecution&, const PlannedExecution&) = default;
};

// An execution that was performed. Valid only during learn(). Addresses (objects, pcs) are the same in every execution
// of a campaign, since targets start without address randomisation; heap addresses may differ when the order does.
struct ExecutionView {
  const ExecutionSummary& summary;
  std::span<const TraceEvent> trace = {};       // if the plan asked for it; see summary.trace_full
  std::span<const OfferedChoice> offered = {};  // likewise
  std::span<const Operation> waiting = {};      // likewise: what tasks waited for when it was stopped (deadlock)
  std::span<const DecisionRun> decisions = {};
  std::uint32_t new_sites = 0;  // code locations that became scheduling points in it
  std::uint32_t news = 0;       // pairs of operations new to the campaign (driver/campaign/coverage.h)
  bool new_order = false;       // its partial order is new to the campaign
  bool failed = false;          // it had a finding other than a data race
};

// How far an exhaustive search has come.
struct SearchProgress {
  std::uint64_t explored = 0;   // executions that differ in what the strategy distinguishes
  std::uint64_t redundant = 0;  // executions that turned out to repeat an earlier one
  std::uint64_t classes = 0;    // partial orders among the explored ones
  double estimate = 0;          // expected final value of `explored`; 0: unknown
};

class Planner {
 public:
  virtual ~Planner() = default;

  // Called before each execution, and only while ready(). `execution` counts from 0 within the campaign.
  virtual PlannedExecution next(std::uint64_t execution) = 0;

  // Called after each execution; with one worker, in the order they were planned. `planned` may differ from what next()
  // returned: a campaign may steer it (Plan::hold) or ask for a trace.
  virtual void learn(const PlannedExecution& planned, const ExecutionView& view) = 0;

  // For exhaustive strategies. finished: everything was explored. ready: another execution can be planned before those
  // in progress have been learned.
  virtual bool finished() const { return false; }
  virtual bool ready() const { return true; }
  // complete: finished, and nothing was left unexplored (because an execution was cut or a task left control).
  // progress: returns false for strategies that are not exhaustive.
  virtual bool complete() const { return finished(); }
  virtual bool progress(SearchProgress&) const { return false; }
};
#endif

}  // namespace ravel

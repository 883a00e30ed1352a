// SPDX-License-Identifier: Apache-2.0
// CampaignResult: everything a campaign leaves for its reports, as plain values. The driver fills it; each report
// (text, JSON, ...) is a function of it. Thread safety: plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/explanation.h"
#include "reports/finding_report.h"

namespace ravel {

inline constexpr const char* kRavelVersion = RAVEL_VERSION;  // from the build, so that there is one place to change

// A finding as the campaign keeps it: the first one with its signature, and how often it occurred.
struct ReportedFinding {
  std::uint32_t id = 0;  // 1, 2, ... in order of appearance
  std::string part;      // the case or race test that showed it; empty: the whole program
  ResolvedFinding finding;
  std::uint64_t first_execution = 0;       // counts from 1
  std::uint64_t count = 0;                 // executions that showed it
  std::string schedule_path;               // empty when no schedule could be saved
  std::uint64_t preemptions = 0;           // in the saved schedule
  std::uint32_t tasks = 0;                 // created in the failing execution, T0 included
  std::string output;                      // what the program wrote to stdout and stderr in the failing execution
  bool output_truncated = false;           // output holds only the last part of it
  bool replayed = false;                   // the saved schedule was run again and gave the same finding
  bool best_effort = false;                // a task left control: replay may differ
  std::string unfinished;                  // "not shrunk: the time was up"; empty: nothing was left out
  std::optional<Explanation> explanation;  // of the first finding of each kind
};

// Locks that are taken in a cycle: no execution deadlocked there, but nothing that was seen rules it out. Not a
// finding: findings happened.
struct PotentialDeadlock {
  std::vector<ResolvedStack> chains;  // who held what where, and wanted what where; each wants what the next holds
  std::vector<ResolvedTask> tasks;
  std::vector<ResolvedObject> objects;
  std::string signature;              // 16 hex digits: equal for the same code
  std::uint64_t first_execution = 0;  // that completed the cycle; counts from 1
  std::uint64_t steered = 0;          // executions that were steered towards the deadlock
};

// A race that code which Ravel does not see into may have ordered. Not a finding: it is not certain that it is a race.
struct UnclearRace {
  ResolvedFinding finding;            // finding.may_be_ordered_by says by what
  std::uint64_t first_execution = 0;  // counts from 1
};

// What one line of a suppression file kept out of the findings.
struct SuppressedFindings {
  std::string rule;  // "race:deposit"
  std::string file;  // as the user named it
  std::uint32_t line = 0;
  std::uint64_t findings = 0;  // distinct ones
};

// What the pct executions of a campaign promise: had there been a bug of this depth whose change points lie within the
// first `steps` steps, they would have shown it with at least this probability (driver/campaign/pct_guarantee.h).
struct PctBound {
  std::uint32_t depth = 0;
  std::uint64_t executions = 0;  // that count
  std::uint32_t tasks = 0;       // n
  std::uint64_t steps = 0;       // 0 for depth 1, which has no change points
  double found_probability = 0;
};

// What was seen of the program's concurrency (driver/campaign/coverage.h), in the executions that were traced.
struct CoverageResult {
  std::uint64_t traced_executions = 0;
  std::uint64_t reads_from_pairs = 0;          // places that read what places wrote
  std::uint64_t conflict_orders = 0;           // of two places that conflict: orders seen
  std::uint64_t conflict_orders_possible = 0;  // both of each
  std::uint64_t functions = 0;                 // with a scheduling point
  std::uint64_t interrupted_functions = 0;
  std::uint64_t function_pairs = 0;  // a function that was interrupted, and the one the other task was in

  // How it grew.
  struct Point {
    std::uint64_t executions = 0;
    std::uint64_t distinct_orders = 0;
    std::uint64_t pairs = 0;  // of all models together
  };
  std::vector<Point> curve;

  std::vector<PctBound> pct;  // in order of depth; empty when no pct execution counts
};

// What an exhaustive strategy did.
struct SearchResult {
  std::uint64_t explored = 0;   // executions in the last round of the search, without redundant ones
  std::uint64_t redundant = 0;  // executions that showed nothing new
  std::uint64_t classes = 0;    // partial orders among the explored ones
  double estimate = 0;          // expected final value of `explored`; 0: unknown
};

// The note of a campaign whose program has no tasks; a table of many campaigns has a word for it.
inline constexpr const char* kNoteWithoutTasks = "the program never created a thread: there was only one order to run";

struct CampaignResult {
  std::string command = "run";
  std::vector<std::string> program;  // command line
  std::string strategy = "auto";
  std::uint64_t seed = 1;
  std::uint64_t executions = 0;
  std::uint64_t cut = 0;       // executions that did not come to their end: they reached the limit of steps
  std::uint64_t resident = 0;  // executions in a process that had performed others, repetitions for findings included
  double seconds = 0;
  std::uint64_t steps = 0;            // over all executions
  std::uint64_t distinct_orders = 0;  // different operation orders seen
  std::uint64_t fingerprint = 0;      // of all executions in their order: with one worker, equal for equal campaigns
  double unseen_probability = 1;      // estimated: the next execution shows an order not seen yet
  bool complete = false;              // an exhaustive strategy finished
  bool without_tasks = false;         // the program never created one: its only execution is all there is
  CoverageResult coverage;
  std::optional<SearchResult> search;
  bool verified_deterministic = false;
  std::string carrier = "fiber";
  bool instrumented = false;       // memory accesses were seen
  std::vector<std::string> notes;  // what the user should know about the campaign, one sentence each
  std::vector<ReportedFinding> findings;
  std::vector<PotentialDeadlock> potential_deadlocks;
  std::vector<UnclearRace> unclear_races;
  std::vector<SuppressedFindings> suppressed;  // in order of file and line; each file also has a note

  // Whether "nothing found" says something: some execution came to its end.
  bool has_verdict() const { return executions > cut || !findings.empty(); }
  double executions_per_second() const { return seconds > 0 ? static_cast<double>(executions) / seconds : 0; }
};

}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
// FutureTable: for each shared read the writes it can see, and the result of asking for each. Plain data: the reports
// of `ravel futures` are functions of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/ids.h"
#include "driver/futures/observed_execution.h"

namespace ravel {

enum class FutureStatus : std::uint8_t {
  seen,         // shown by an execution that was not made for it
  forced,       // shown by an execution made for it
  infeasible,   // no execution can show it
  not_reached,  // the write did not run in any execution
  budget,       // neither shown nor proved impossible within the budget
};

const char* status_text(FutureStatus status);

struct FutureDefinition {
  SourcePlace place;
  std::string code;      // the source line; empty when it cannot be read
  bool initial = false;  // the initial value, from before the threads: no place
  FutureStatus status = FutureStatus::budget;
  std::uint64_t execution = 0;   // the first that showed it, from 1; 0: none
  std::string outcome;           // "passed" or the kind of the finding; empty without an execution
  std::string message;           // of the finding
  std::string output;            // what that execution wrote
  std::string schedule;          // file; empty without an execution
  std::string value;             // what the read got; empty when unknown
  std::string reason;            // why it is infeasible, or what was tried
  bool spoken_against = false;   // not shown: a cycle rules it out in each execution that was looked at
  std::string difference;        // of a failing execution: which reads differ from a passing one
  std::optional<bool> in_terms;  // if it was shown and the sources' terms are known: is it one of them?

  std::string text() const { return initial ? "initial" : place.text; }
  bool realised() const { return status == FutureStatus::seen || status == FutureStatus::forced; }
};

struct FutureRead {
  SourcePlace place;
  std::string code;
  std::string object;            // the variable; empty: unknown
  TaskId task = kNoTask;         // if every occurrence is a row of its own
  std::uint32_t occurrence = 0;  // likewise; from 1
  bool internal = false;         // made by a library in its own memory; the program's line only calls it
  std::vector<FutureDefinition> definitions;

  std::string text() const;  // "n at t3.cpp:21"
};

// The result of --force and --initial.
struct FutureRequest {
  std::vector<std::string> choices;
  FutureStatus status = FutureStatus::budget;
  std::string reason;    // why not
  std::string schedule;  // of the execution that shows it
};

// What an execution found; each finding once, in order of appearance.
struct FutureFinding {
  std::string kind;
  std::string message;
  std::uint64_t execution = 0;  // the first that showed it, from 1
  std::string output;
  std::string schedule;
  std::string difference;  // which reads differ from a passing execution
};

struct FutureTable {
  std::vector<FutureRead> reads;
  std::vector<FutureFinding> findings;
  std::uint64_t executions = 0;         // performed to learn and to force
  std::uint64_t failed_attempts = 0;    // of these: made for a definition, but showed something else
  std::uint64_t proof_executions = 0;   // additional ones, of the exhaustive search that proves the rest impossible
  std::uint64_t random_executions = 0;  // additional ones, of a random search, if there was no proof
  bool proved = false;                  // "infeasible" is certain: every behaviour was explored
  std::string proof;                    // how, in one sentence
  bool interrupted = false;             // by the user: what was shown until then
  std::optional<FutureRequest> request;
};

}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
// FutureTable: for each shared read the writes it can see, and what became of asking for each. Plain data: the reports
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
  seen,         // an execution that was not made for it showed it
  forced,       // an execution was made for it
  infeasible,   // no execution can show it
  not_reached,  // the write did not run in any execution
  budget,       // neither shown nor proved impossible within the budget
};

const char* status_text(FutureStatus status);

struct FutureDefinition {
  SourcePlace place;
  std::string code;      // the line of the source; empty when it cannot be read
  bool initial = false;  // the value before the threads: no place
  FutureStatus status = FutureStatus::budget;
  std::uint64_t execution = 0;   // that showed it first, from 1; 0: none
  std::string outcome;           // "passed" or the kind of the finding; empty without an execution
  std::string message;           // of the finding
  std::string output;            // what that execution wrote
  std::string schedule;          // file; empty without an execution
  std::string value;             // what the read got; empty when unknown
  std::string reason;            // why it is infeasible, or what was tried
  bool spoken_against = false;   // not shown: a circle stands against it in each execution that was looked at
  std::string difference;        // of an execution that failed: which reads differ from one that passed
  std::optional<bool> in_terms;  // of one that was shown, when there are terms of the sources: is it one of them?

  std::string text() const { return initial ? "initial" : place.text; }
  bool realised() const { return status == FutureStatus::seen || status == FutureStatus::forced; }
};

struct FutureRead {
  SourcePlace place;
  std::string code;
  std::string object;            // the variable; empty: not known
  TaskId task = kNoTask;         // when every occurrence is a row of its own
  std::uint32_t occurrence = 0;  // likewise; from 1
  bool internal = false;         // made by a library in its own memory, which a line of the program only calls
  std::vector<FutureDefinition> definitions;

  std::string text() const;  // "n at t3.cpp:21"
};

// What came of --force and --initial.
struct FutureRequest {
  std::vector<std::string> choices;
  FutureStatus status = FutureStatus::budget;
  std::string reason;    // why not
  std::string schedule;  // of the execution that shows it
};

// What an execution found; each finding once, in the order in which they came.
struct FutureFinding {
  std::string kind;
  std::string message;
  std::uint64_t execution = 0;  // that showed it first, from 1
  std::string output;
  std::string schedule;
  std::string difference;  // which reads differ from an execution that passed
};

struct FutureTable {
  std::vector<FutureRead> reads;
  std::vector<FutureFinding> findings;
  std::uint64_t executions = 0;         // made to learn and to force
  std::uint64_t failed_attempts = 0;    // of these: made for a definition, and showed something else
  std::uint64_t proof_executions = 0;   // more, of the exhaustive search that proves the rest impossible
  std::uint64_t random_executions = 0;  // more, of a search at random, when there was no proof
  bool proved = false;                  // what is called infeasible is: every behaviour was explored
  std::string proof;                    // how, in one sentence
  std::optional<FutureRequest> request;
};

}  // namespace ravel

// SPDX-License-Identifier: Apache-2.0
// ObservedExecution: one execution as futures see it: every operation with its place in the source, the memory it
// touches as a variable, and for each read the write that it saw.
//
// Who makes it: ExecutionObserver, from the record of an execution. Who reads it: the search for other orders, proofs
// and tables. Thread safety: plain data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "model/operation.h"

namespace ravel {

// A place in the source, as tables name it.
struct SourcePlace {
  std::string file;  // as in the debug information, relative to the current directory when below it
  std::uint32_t line = 0;
  std::string text;  // "t3.cpp:21", or what is known without debug information
  bool in_library = false;

  friend bool operator==(const SourcePlace&, const SourcePlace&) = default;
};

inline constexpr std::int64_t kInitialValue = -1;  // the value from before the threads
inline constexpr std::int64_t kReadsNothing = -2;

struct ObservedEvent {
  Operation operation;
  std::uint32_t number = 0;             // among the events of its task, from 1
  std::uint32_t variable = 0;           // memory accesses: which one; 0: not shared
  std::uint32_t place = 0;              // index into ObservedExecution::places
  std::uint32_t read_occurrence = 0;    // its number among its task's reads of this variable at this place, from 1
  std::uint32_t write_occurrence = 0;   // likewise for writes
  std::int64_t source = kReadsNothing;  // the event that wrote what it read
  bool in_callee = false;               // made by a library function that the place calls
  bool reads = false;
  bool writes = false;  // it changed the memory, or may have
  bool value_known = false;
  std::uint64_t value = 0;             // what a read saw, what a write left
  std::uint32_t stores = 0;            // atomics: how many stores it could have taken; 0: there was no choice
  std::vector<std::uint32_t> answers;  // to the environment choices of this step

  TaskId task() const { return operation.task; }
};

// Memory that at least two tasks touch and one of them writes; accesses that overlap belong to one variable.
struct ObservedVariable {
  std::string name;      // "n", "counter.total", "heap(bank.cpp:21)+8"; empty: unknown
  bool is_heap = false;  // or memory of an unknown kind
};

struct ObservedExecution {
  std::vector<ObservedEvent> events;  // in the order they were made
  std::vector<SourcePlace> places;
  std::vector<ObservedVariable> variables;        // [0] stands for none
  std::vector<std::vector<std::size_t>> by_task;  // events of each task, in its order
  bool complete = true;                           // the trace contains all of it
  bool exact = true;  // nothing happened that the search for orders does not model (see order_search.h)
};

constexpr bool overlap(const Operation& a, const Operation& b) {
  return a.object < b.object + b.size && b.object < a.object + a.size;
}

}  // namespace ravel

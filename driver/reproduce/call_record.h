// SPDX-License-Identifier: Apache-2.0
// CallRecord: what is known of the last call of a sequence from running it alone: how it ended, the state it left, what
// it read and wrote, under which locks. The prunings decide by it. Plain values.
//
// Who makes it: SequenceRunner, from a CallTrace (trace/call_trace.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trace/call_trace.h"

namespace ravel {

struct CallRecord {
  CallOutcome outcome = CallOutcome::crashed;
  bool in_last_call = false;  // what did not return was the last call
  std::string exception;      // demangled
  std::uint64_t state = 0;
  std::uint64_t coverage = 0;         // of the ordered events: the paper's M(s)
  std::vector<std::uint64_t> reads;   // shared words, ascending
  std::vector<std::uint64_t> writes;  // the same; memory that it freed counts as written
  std::vector<std::uint64_t> spoilt;  // of these: pointers that it made null, and freed memory
  // Lock histories of the shared accesses, each once: locks that were taken and have not been released since the call
  // began. Ascending.
  std::vector<std::vector<std::uint64_t>> histories;
  std::vector<CallEvent> events;

  bool returned() const { return outcome == CallOutcome::returned; }
};

// The word that an access is to: accesses of different sizes meet.
inline std::uint64_t word_of(const CallEvent& event) { return event.address & ~std::uint64_t{7}; }
// Ascending, each once.
void make_set(std::vector<std::uint64_t>& values);

CallRecord record_of(const CallTrace& trace, std::size_t calls);

}  // namespace ravel

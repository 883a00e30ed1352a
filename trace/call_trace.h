// SPDX-License-Identifier: Apache-2.0
// CallTrace: what one call of a sequence did, in memory that the traced program shares with the driver: accesses,
// locks, and the functions that were entered and left.
//
// Who writes it: runtime/call_trace, in the harness of `ravel reproduce`. Who reads it: driver/reproduce. Thread
// safety: written by one thread of one process at a time; read after that process has said that it is done.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ravel {

inline constexpr int kCallTraceDescriptor = 702;   // of the shared memory, in the harness
inline constexpr int kCallAnswerDescriptor = 703;  // where the harness says that a sequence is done

enum class CallEventKind : std::uint8_t { read, write, freed, acquire, release, enter, leave };

// What a write left there. A null pointer and a pointer are different events, though the code is the same.
enum class ValueClass : std::uint8_t { unknown, zero, positive, negative };

struct CallEvent {
  std::uint64_t address = 0;  // of the memory or the lock
  std::uint64_t pc = 0;       // the return address of the hook; for enter: of the function's call
  CallEventKind kind = CallEventKind::read;
  ValueClass value = ValueClass::unknown;
  std::uint8_t shared = 0;  // neither on the stack nor allocated by the traced call
  std::uint8_t size = 0;
};

enum class CallOutcome : std::uint32_t {
  crashed,         // it never came back: a signal, abort, exit
  returned,        //
  threw,           // an exception left it
  waits,           // it waits for another thread
  starts_threads,  //
};

struct CallTrace {
  static constexpr std::uint32_t kMostEvents = 1U << 16U;

  CallOutcome outcome;
  std::uint32_t failed_call;  // which call of the sequence did not return; counts from 0
  std::uint32_t event_count;
  std::uint32_t overflow;   // there were more events
  std::uint64_t state;      // hash of the object after the call
  std::uint64_t first_new;  // heap memory from here on belongs to the call
  char exception[128];      // type of the exception, mangled; empty when unknown
  CallEvent event[kMostEvents];
};

}  // namespace ravel
